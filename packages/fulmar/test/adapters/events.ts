/**
 * Events of Lambda's as AWS documents them (its guides' samples, shortened where nothing reads it), and
 * requests put into their form.
 */

export interface AskedEvent {
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string | Uint8Array;
}

export type EventKind = 'v1' | 'v2' | 'alb' | 'alb-multi';
export const KINDS: readonly EventKind[] = ['v1', 'v2', 'alb', 'alb-multi'];

/** "Input format of a Lambda function for proxy integration" of API Gateway's developer guide. */
export const RECORDED_V1 = {
  version: '1.0',
  resource: '/my/path',
  path: '/my/path',
  httpMethod: 'GET',
  headers: { header1: 'value1', header2: 'value2' },
  multiValueHeaders: { header1: ['value1'], header2: ['value1', 'value2'] },
  queryStringParameters: { parameter1: 'value1', parameter2: 'value' },
  multiValueQueryStringParameters: { parameter1: ['value1', 'value2'], parameter2: ['value'] },
  requestContext: {
    accountId: '123456789012',
    apiId: 'id',
    authorizer: { claims: null, scopes: null },
    domainName: 'id.execute-api.us-east-1.amazonaws.com',
    domainPrefix: 'id',
    extendedRequestId: 'request-id',
    httpMethod: 'GET',
    identity: { accessKey: null, accountId: null, caller: null, sourceIp: '192.0.2.1', user: null, userAgent: 'user-agent', userArn: null },
    path: '/my/path',
    protocol: 'HTTP/1.1',
    requestId: 'id=',
    requestTime: '04/Mar/2020:19:15:17 +0000',
    requestTimeEpoch: 1_583_349_317_135,
    resourceId: null,
    resourcePath: '/my/path',
    stage: '$default',
  },
  pathParameters: null,
  stageVariables: null,
  body: 'Hello from Lambda!',
  isBase64Encoded: false,
};

/** The sample of payload format 2.0; function URLs send the same. */
export const RECORDED_V2 = {
  version: '2.0',
  routeKey: '$default',
  rawPath: '/my/path',
  rawQueryString: 'parameter1=value1&parameter1=value2&parameter2=value',
  cookies: ['cookie1', 'cookie2'],
  headers: { header1: 'value1', header2: 'value1,value2' },
  queryStringParameters: { parameter1: 'value1,value2', parameter2: 'value' },
  requestContext: {
    accountId: '123456789012',
    apiId: 'api-id',
    authentication: null,
    domainName: 'id.execute-api.us-east-1.amazonaws.com',
    domainPrefix: 'id',
    http: { method: 'POST', path: '/my/path', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'agent' },
    requestId: 'id',
    routeKey: '$default',
    stage: '$default',
    time: '12/Mar/2020:19:03:58 +0000',
    timeEpoch: 1_583_348_638_390,
  },
  body: 'Hello from Lambda',
  pathParameters: { parameter1: 'value1' },
  isBase64Encoded: false,
  stageVariables: { stageVariable1: 'value1', stageVariable2: 'value2' },
};

/** "Receive events from the load balancer" of the guide of Application Load Balancers. */
export const RECORDED_ALB = {
  requestContext: {
    elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-target-group/6d0ecf831eec9f09' },
  },
  httpMethod: 'GET',
  path: '/',
  queryStringParameters: { parameter1: 'value1' },
  headers: {
    accept: 'text/html,application/xhtml+xml',
    'accept-language': 'en-US,en;q=0.8',
    'content-type': 'text/plain',
    cookie: 'cookies',
    host: 'lambda-846800462-us-east-2.elb.amazonaws.com',
    'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_6)',
    'x-amzn-trace-id': 'Root=1-5bdb40ca-556d8b0c50dc66f0511bf520',
    'x-forwarded-for': '72.21.198.66',
    'x-forwarded-port': '443',
    'x-forwarded-proto': 'https',
  },
  isBase64Encoded: false,
  body: 'request_body',
};

export const RECORDED_SQS = {
  Records: [
    {
      messageId: '059f36b4-87a3-44ab-83d2-661975830a7d',
      receiptHandle: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a...',
      body: 'Test message.',
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: '1545082649183' },
      messageAttributes: {},
      md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-2:123456789012:my-queue',
      awsRegion: 'us-east-2',
    },
    {
      messageId: '2e1424d4-f796-459a-8184-9c92662be6da',
      receiptHandle: 'AQEBzWwaftRI0KuVm4tP+/7q1rGgNqicHq...',
      body: 'Another message.',
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: '1545082650636' },
      messageAttributes: {},
      md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-2:123456789012:my-queue',
      awsRegion: 'us-east-2',
    },
  ],
};

export const RECORDED_KINESIS = {
  Records: ['49590338271490256608559692538361571095921575989136588898', '49590338271490256608559692540925702759324208523137515618'].map(
    (sequenceNumber) => ({
      kinesis: { kinesisSchemaVersion: '1.0', partitionKey: '1', sequenceNumber, data: 'SGVsbG8sIHRoaXMgaXMgYSB0ZXN0Lg==' },
      eventSource: 'aws:kinesis',
      eventVersion: '1.0',
      eventID: `shardId-000000000006:${sequenceNumber}`,
      eventSourceARN: 'arn:aws:kinesis:us-east-2:123456789012:stream/lambda-stream',
    }),
  ),
};

export const RECORDED_DYNAMODB = {
  Records: ['4421584500000000017450439091', '4421584500000000017450439092'].map((SequenceNumber, at) => ({
    eventID: String(at + 1),
    eventVersion: '1.0',
    dynamodb: { Keys: { Id: { N: '101' } }, StreamViewType: 'NEW_AND_OLD_IMAGES', SequenceNumber, SizeBytes: 26 },
    awsRegion: 'us-west-2',
    eventName: 'INSERT',
    eventSourceARN: 'arn:aws:dynamodb:us-west-2:123456789012:table/ExampleTable/stream/2020-01-01T00:00:00.000',
    eventSource: 'aws:dynamodb',
  })),
};

export const RECORDED_SCHEDULE = {
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '123456789012',
  time: '2015-10-08T16:53:06Z',
  region: 'us-east-1',
  resources: ['arn:aws:events:us-east-1:123456789012:rule/my-scheduled-rule'],
  detail: {},
};

const CLIENT = '192.0.2.1';

/** The request as each kind of event would say it. */
export function eventOf(kind: EventKind, asked: AskedEvent): object {
  const { method = asked.body === undefined ? 'GET' : 'POST', body } = asked;
  const isText = typeof body === 'string';
  const content = {
    body: body === undefined ? null : isText ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: body !== undefined && !isText,
  };
  if (kind === 'v2') return { ...eventOfV2(asked, method), ...content };
  const fields: Record<string, string> = { host: 'localhost', ...asked.headers };
  if (asked.cookies !== undefined) fields['cookie'] = asked.cookies.join('; ');
  if (kind !== 'v1') Object.assign(fields, { 'x-forwarded-for': `198.51.100.9, ${CLIENT}`, 'x-forwarded-proto': 'https' });
  const isMulti = kind !== 'alb';
  const query = queryOf(asked.query ?? '', kind === 'v1');
  const last = Object.fromEntries(Object.entries(query).map(([name, values]) => [name, values.at(-1) as string]));
  const recorded = kind === 'v1' ? { ...RECORDED_V1 } : { ...RECORDED_ALB };
  const all = { headers: fields, multiValueHeaders: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]])) };
  const asMany = { multiValueHeaders: all.multiValueHeaders, multiValueQueryStringParameters: query };
  const own = isMulti ? asMany : { headers: fields, queryStringParameters: last };
  if (kind === 'alb-multi') {
    const { headers: _one, queryStringParameters: _last, ...rest } = recorded;
    return { ...rest, ...own, ...content, httpMethod: method, path: asked.path };
  }
  const both = kind === 'v1' ? { ...all, queryStringParameters: last } : {};
  return { ...recorded, ...both, ...own, ...content, httpMethod: method, path: asked.path };
}

function eventOfV2({ path, query = '', headers = {}, cookies }: AskedEvent, method: string): object {
  const { cookies: _recorded, ...recorded } = RECORDED_V2;
  return {
    ...recorded,
    rawPath: path,
    rawQueryString: query,
    headers: { host: 'localhost', ...headers },
    ...(cookies === undefined ? {} : { cookies }),
    requestContext: { ...RECORDED_V2.requestContext, http: { ...RECORDED_V2.requestContext.http, method, path } },
  };
}

/** Names and values, of API Gateway decoded. */
function queryOf(query: string, isDecoded: boolean): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', value = ''] = pair.split('=').map((text) => (isDecoded ? decodeURIComponent(text.replaceAll('+', ' ')) : text));
    (values[name] ??= []).push(value);
  }
  return values;
}
