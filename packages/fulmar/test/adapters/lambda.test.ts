/**
 * Lambda around the reply: what events say, what is refused, time and size that run out, hooks, accessors.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApp, HttpError } from '../../src/app/index.ts';
import { lambda, type LambdaOptions, type LambdaResult, platform } from '../../src/adapters/lambda/index.ts';
import express from '../../src/express/index.ts';
import Koa from '../../src/koa/index.ts';
import {
  eventOf,
  RECORDED_ALB,
  RECORDED_DYNAMODB,
  RECORDED_KINESIS,
  RECORDED_SCHEDULE,
  RECORDED_SQS,
  RECORDED_V1,
  RECORDED_V2,
} from './events.ts';

const quiet = { logger: { error: () => {} } };

/** Answers with what it sees of a request. */
const seeing = () => {
  const app = createApp(quiet);
  app.all('/*', async (c) => ({
    method: c.method,
    url: c.url,
    ip: c.ip,
    href: c.request.url,
    headers: c.headers,
    text: await c.body.text(),
  }));
  return app;
};

interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly ip: string;
  readonly href: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

async function see(event: object, options?: LambdaOptions): Promise<SeenRequest> {
  const result = (await lambda(seeing(), options)(event)) as LambdaResult;
  assert.equal(result.statusCode, 200, result.body);
  return JSON.parse(result.body) as SeenRequest;
}

describe('the recorded events', () => {
  it('REST API: fields and parameters of several values', async () => {
    const { method, url, ip, headers, text } = await see(RECORDED_V1);
    assert.deepEqual(
      [method, url, ip, text],
      ['GET', '/my/path?parameter1=value1&parameter1=value2&parameter2=value', '192.0.2.1', 'Hello from Lambda!'],
    );
    assert.equal(headers['header2'], 'value1, value2');
    assert.equal(headers['content-length'], '18');
  });

  it('HTTP API: cookies are one field', async () => {
    const { method, url, ip, headers, text } = await see(RECORDED_V2);
    assert.deepEqual(
      [method, url, ip, text],
      ['POST', '/my/path?parameter1=value1&parameter1=value2&parameter2=value', '192.0.2.1', 'Hello from Lambda'],
    );
    assert.deepEqual([headers['cookie'], headers['header2']], ['cookie1; cookie2', 'value1,value2']);
  });

  it('load balancer: the client is who it names last', async () => {
    const { url, ip, href } = await see(RECORDED_ALB);
    assert.deepEqual([url, ip], ['/?parameter1=value1', '72.21.198.66']);
    assert.equal(href, 'https://lambda-846800462-us-east-2.elb.amazonaws.com/?parameter1=value1');
    const forged = { ...RECORDED_ALB, headers: { ...RECORDED_ALB.headers, 'x-forwarded-for': '10.0.0.1, 72.21.198.66' } };
    assert.equal((await see(forged)).ip, '72.21.198.66');
  });

  it('null stands for what is not there', async () => {
    const bare = {
      httpMethod: 'GET',
      path: '/x',
      headers: null,
      multiValueHeaders: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      body: null,
    };
    const { url, headers, ip } = await see(bare);
    assert.deepEqual([url, headers, ip], ['/x', {}, '']);
  });
});

describe('paths and queries', () => {
  const cases: readonly (readonly [name: string, event: object, url: string, options?: LambdaOptions])[] = [
    [
      'REST: decoded values are encoded again',
      { ...RECORDED_V1, path: '/a', multiValueQueryStringParameters: { 'q&': ['a b', '1+1=2', 'ä'] } },
      '/a?q%26=a%20b&q%26=1%2B1%3D2&q%26=%C3%A4',
    ],
    ['load balancer: values stay as they came', { ...RECORDED_ALB, queryStringParameters: { q: 'a%20b', flag: '' } }, '/?q=a%20b&flag'],
    [
      'HTTP API: the stage is no part of the path',
      { ...RECORDED_V2, rawPath: '/dev/my', rawQueryString: '', requestContext: { ...RECORDED_V2.requestContext, stage: 'dev' } },
      '/my',
    ],
    [
      'HTTP API: the stage alone',
      { ...RECORDED_V2, rawPath: '/dev', rawQueryString: '', requestContext: { ...RECORDED_V2.requestContext, stage: 'dev' } },
      '/',
    ],
    [
      'HTTP API: a path that only begins as the stage',
      { ...RECORDED_V2, rawPath: '/developers', rawQueryString: '', requestContext: { ...RECORDED_V2.requestContext, stage: 'dev' } },
      '/developers',
    ],
    [
      'HTTP API: a domain of one’s own has no stage in its paths',
      {
        ...RECORDED_V2,
        rawPath: '/dev/my',
        rawQueryString: '',
        requestContext: { ...RECORDED_V2.requestContext, stage: 'dev', domainName: 'api.example' },
      },
      '/dev/my',
    ],
    [
      'basePath goes',
      { ...RECORDED_V1, path: '/v1/birds', multiValueQueryStringParameters: null, queryStringParameters: null },
      '/birds',
      { basePath: '/v1' },
    ],
    [
      'a path that is not below basePath stays',
      { ...RECORDED_V1, path: '/v10/birds', multiValueQueryStringParameters: null, queryStringParameters: null },
      '/v10/birds',
      { basePath: '/v1' },
    ],
    ['what no target may have is escaped', { ...RECORDED_V2, rawPath: '/ä b?#%zz%20', rawQueryString: '' }, '/%C3%A4%20b%3F%23%25zz%20'],
    [
      'line ends cannot begin another request',
      { ...RECORDED_V2, rawPath: '/a\r\nX: y', rawQueryString: 'q=1\r\nZ' },
      '/a%0D%0AX:%20y?q=1%0D%0AZ',
    ],
    ['half a character', { ...RECORDED_V1, path: '/a', multiValueQueryStringParameters: { q: ['\ud800'] } }, '/a?q=%EF%BF%BD'],
    ['a path without its slash', { ...RECORDED_V2, rawPath: '', rawQueryString: '' }, '/'],
    [
      'parameters with names of objects’ own',
      { ...RECORDED_V1, path: '/a', multiValueQueryStringParameters: JSON.parse('{"__proto__":["x"],"constructor":["y"]}') },
      '/a?__proto__=x&constructor=y',
    ],
  ];
  for (const [name, event, url, options] of cases) {
    it(name, async () => assert.equal((await see(event, options)).url, url));
  }
});

describe('content', () => {
  it('has the length of what there is, whatever the field said', async () => {
    const { headers, text } = await see({ ...RECORDED_V2, headers: { 'content-length': '9999', 'transfer-encoding': 'chunked' } });
    assert.deepEqual([headers['content-length'], headers['transfer-encoding'], text], ['17', undefined, 'Hello from Lambda']);
  });

  it('is limited as on a port', async () => {
    const app = createApp({ ...quiet, bodyLimit: 10 });
    app.post('/my/path', (c) => c.body.text());
    assert.equal(((await lambda(app)(RECORDED_V2)) as LambdaResult).statusCode, 413);
  });

  it('of a type that the application calls binary is base64', async () => {
    const app = createApp();
    app.get('/', () => 'text');
    const binary = (type: string) => type.startsWith('text/plain');
    const { body, isBase64Encoded } = (await lambda(app, { binary })(eventOf('v2', { path: '/' }))) as LambdaResult;
    assert.deepEqual([body, isBase64Encoded], ['dGV4dA==', true]);
  });

  it('begins with a byte order mark where the application says so', async () => {
    const app = createApp();
    app.get('/', (c) => c.send('\ufeffa;b', 'text/csv; charset=utf-8'));
    assert.equal(((await lambda(app)(eventOf('v1', { path: '/' }))) as LambdaResult).body, '\ufeffa;b');
  });

  it('longer than Lambda passes on is 500, and said in the log', async (t) => {
    const logged = t.mock.method(console, 'error', () => {});
    const app = createApp();
    app.get('/long', () => new Uint8Array(7 * 1024 * 1024));
    app.get('/base64', () => new Uint8Array(5 * 1024 * 1024).fill(255));
    app.get('/endless', function* () {
      for (;;) yield new Uint8Array(1024 * 1024);
    });
    for (const path of ['/long', '/base64', '/endless']) {
      const { statusCode, body } = (await lambda(app)(eventOf('v2', { path }))) as LambdaResult;
      assert.deepEqual([statusCode, JSON.parse(body)], [500, { title: 'Internal Server Error', status: 500 }]);
    }
    assert.match(String(logged.mock.calls[0]?.arguments[0]), /^GET \/long: The reply has more than 6291456 bytes\. .*lambdaStream/);
  });

  it('of a load balancer ends at 1 MB', async (t) => {
    t.mock.method(console, 'error', () => {});
    const app = createApp();
    app.get('/', () => 'x'.repeat(1024 * 1024 + 1));
    assert.equal(((await lambda(app)(eventOf('alb', { path: '/' }))) as LambdaResult).statusCode, 500);
    assert.equal(((await lambda(app)(eventOf('v2', { path: '/' }))) as LambdaResult).statusCode, 200);
  });
});

describe('cookies', () => {
  const app = createApp();
  app.get('/', (c) => {
    for (let count = 0; count < 12; count++) c.cookie(`c${count}`, 'x');
    return 'ok';
  });
  it('of a load balancer without multi-value fields have a spelling each', async () => {
    const { headers = {} } = (await lambda(app)(eventOf('alb', { path: '/' }))) as LambdaResult;
    const names = Object.keys(headers).filter((name) => name.toLowerCase() === 'set-cookie');
    assert.equal(new Set(names).size, 12);
    assert.equal(names.filter((name) => headers[name]?.startsWith('c7=')).length, 1);
  });
  it('of the HTTP API stand in a list of their own', async () => {
    const { headers = {}, cookies = [] } = (await lambda(app)(eventOf('v2', { path: '/' }))) as LambdaResult;
    assert.equal(cookies.length, 12);
    assert.equal('set-cookie' in headers, false);
  });
});

describe('the event and the context', () => {
  const context = { awsRequestId: 'id-1', functionName: 'birds' };
  it('of a context of ours', async () => {
    const app = createApp();
    app.post('/my/path', (c) => [platform(c).context.awsRequestId, platform(c).event === (RECORDED_V2 as object)]);
    assert.equal(((await lambda(app)(RECORDED_V2, context)) as LambdaResult).body, '["id-1",true]');
  });
  it('of Express’s request, which also has it as apiGateway', async () => {
    const app = express();
    app.use(
      (req, res) =>
        void res.json([
          platform(req).context.awsRequestId,
          (req as { apiGateway?: { context?: unknown } }).apiGateway?.context === context,
        ]),
    );
    assert.equal(((await lambda(app as never)(RECORDED_V2, context)) as LambdaResult).body, '["id-1",true]');
  });
  it('of Koa’s context', async () => {
    const app = new Koa();
    app.use((ctx) => void (ctx.body = platform(ctx).context.functionName));
    assert.equal(((await lambda(app as never)(RECORDED_V2, context)) as LambdaResult).body, 'birds');
  });
  it('as a fetch function’s second argument', async () => {
    const fetch = (_request: Request, given?: unknown) => new Response((given as { context: typeof context }).context.functionName);
    assert.equal(((await lambda({ fetch } as never)(RECORDED_V2, context)) as LambdaResult).body, 'birds');
  });
  it('in an Express application that an app mounts', async () => {
    const app = createApp();
    app.mount('/my', express().use((req, res) => void res.send(platform(req).context.functionName)) as never);
    assert.equal(((await lambda(app)(RECORDED_V2, context)) as LambdaResult).body, 'birds');
  });
  it('are not there for a request that did not come through it', async () => {
    const app = createApp(quiet);
    app.get('/', (c) => {
      try {
        platform(c);
      } catch (error) {
        return (error as Error).message;
      }
      return 'there';
    });
    assert.match((await app.inject('/')).text, /^platform\(\) takes .* lambda\(\) answers for/);
  });
  it('give Express the client’s address', async () => {
    const app = express();
    app.use((req, res) => void res.send(`${req.ip} ${req.socket.remoteAddress}`));
    assert.equal(((await lambda(app as never)(RECORDED_V2)) as LambdaResult).body, '192.0.2.1 192.0.2.1');
  });
});

describe('errors', () => {
  it('of handlers are replies', async () => {
    const app = createApp(quiet);
    app.get('/', () => {
      throw new HttpError(409, 'taken');
    });
    const { statusCode, body } = (await lambda(app)(eventOf('v1', { path: '/' }))) as LambdaResult;
    assert.deepEqual([statusCode, JSON.parse(body).detail], [409, 'taken']);
  });
  it('of a listener fail the invocation, and not the process', async () => {
    const sync = (_req: unknown, _res: unknown) => {
      throw new Error('sync');
    };
    const late = async (_req: unknown, _res: unknown) => {
      throw new Error('late');
    };
    await assert.rejects(lambda(sync as never)(RECORDED_V2), /sync/);
    await assert.rejects(lambda(late as never)(RECORDED_V2), /late/);
  });
  it('a RangeError of the application’s is its error, not a reply that is too long', async () => {
    const late = async (_req: unknown, _res: unknown): Promise<never> => Promise.reject(new RangeError('Invalid array length'));
    await assert.rejects(lambda(late as never)(RECORDED_V2), /Invalid array length/);
  });
  it('a reply that is broken off fails the invocation', async () => {
    const app = createApp(quiet);
    app.get('/', function* () {
      yield 'a';
      throw new Error('half way');
    });
    await assert.rejects(lambda(app)(eventOf('v2', { path: '/' })), /broken off/);
  });
});

describe('the time of a function', () => {
  it('ends with 503, and c.signal has fired', { timeout: 5000 }, async () => {
    const app = createApp(quiet);
    const fired: string[] = [];
    app.get('/', (c) => new Promise(() => c.signal.addEventListener('abort', () => fired.push('signal'))));
    const handler = lambda(app, { deadlineMs: 100 });
    const { statusCode, body } = (await handler(eventOf('v2', { path: '/' }), { getRemainingTimeInMillis: () => 120 })) as LambdaResult;
    assert.deepEqual([statusCode, JSON.parse(body).detail, fired], [503, 'The time of the function is over.', ['signal']]);
  });
  it('does not hold up a function that has answered', async () => {
    const app = createApp();
    app.get('/', () => 'ok');
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await lambda(app)(eventOf('v2', { path: '/' }), { getRemainingTimeInMillis: () => 600_000 });
    assert.equal(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length, before);
  });
});

describe('what is no request', () => {
  const answered = () => {
    const started: string[] = [];
    const app = createApp().onStart(() => void started.push('started'));
    app.get('/', () => 'ok');
    return { started, handler: lambda(app) };
  };
  for (const [name, event] of [
    ['a schedule', RECORDED_SCHEDULE],
    ['serverless-plugin-warmup', { source: 'serverless-plugin-warmup' }],
    ['lambda-warmer', { warmer: true, concurrency: 1 }],
  ] as const) {
    it(`keeps warm, and starts the app: ${name}`, async () => {
      const { started, handler } = answered();
      assert.equal(await handler(event), 'warm');
      assert.deepEqual(started, ['started']);
    });
  }
  for (const [event, said] of [
    [RECORDED_SQS, /this event is records of aws:sqs\. Give that another handler; batch\(\) makes one/],
    [RECORDED_KINESIS, /records of aws:kinesis/],
    [RECORDED_DYNAMODB, /records of aws:dynamodb/],
    [{ Records: [{ EventSource: 'aws:sns' }] }, /records of aws:sns/],
    [{ source: 'aws.s3', 'detail-type': 'Object Created' }, /an event of aws\.s3/],
    [{ requestContext: { connectionId: 'x', routeKey: '$connect' } }, /a message of a WebSocket API/],
    [{ type: 'TOKEN', methodArn: 'arn' }, /an authorizer/],
    [{ path: '/x', method: 'GET', requestContext: { serviceArn: 'arn' } }, /VPC Lattice/],
    [{}, /is empty/],
    [{ key1: 'value1', key2: 'value2' }, /an object with key1, key2/],
    [null, /this event is null/],
    ['text', /this event is "text"/],
  ] as const) {
    it(`refuses ${String(said)}`, async () => assert.rejects(answered().handler(event), said));
  }
});

describe('the hooks of a start', () => {
  it('run once, before the first of many requests', async () => {
    const order: string[] = [];
    const app = createApp().onStart(async () => {
      await Promise.resolve();
      order.push('start');
    });
    app.get('/', () => void order.push('request'));
    const handler = lambda(app);
    await Promise.all([1, 2, 3].map(() => handler(eventOf('v2', { path: '/' }))));
    assert.deepEqual(order, ['start', 'request', 'request', 'request']);
  });
  it('that fail are tried again', async () => {
    let tries = 0;
    const app = createApp().onStart(() => {
      if (tries++ === 0) throw new Error('no database');
    });
    app.get('/', () => 'ok');
    const handler = lambda(app);
    await assert.rejects(handler(eventOf('v2', { path: '/' })), /no database/);
    assert.equal(((await handler(eventOf('v2', { path: '/' }))) as LambdaResult).body, 'ok');
  });
});

describe('misuse', () => {
  const cases: readonly (readonly [unknown, unknown, RegExp])[] = [
    [undefined, {}, /^TypeError: lambda\(\) takes an app, an Express or Koa application, a function \(req, res\), a fetch function/],
    [express.Router(), {}, /^TypeError: A router of Express needs its application.*lambda\(express\(\)\.use\(router\)\)/],
    [createApp(), { basepath: '/x' }, /lambda\(\) has no option basepath; it has style, basePath, binary, deadlineMs/],
    [createApp(), { basePath: 'x/' }, /basePath of lambda\(\) is a path such as '\/v1', and this is "x\/"/],
    [createApp(), { binary: ['image/*'] }, /binary of lambda\(\) is a function of the type/],
    [createApp(), { deadlineMs: 2 ** 31 }, /deadlineMs of lambda\(\) is a number of milliseconds, at most/],
    [createApp(), { deadlineMs: -1 }, /deadlineMs of lambda\(\) is a number of milliseconds/],
    [createApp(), { style: 'koa' }, /style of lambda\(\) is 'fetch' or 'messages'/],
    [createApp(), null, /The options of lambda\(\) are an object, and this is null/],
  ];
  for (const [application, options, said] of cases) {
    it(String(said), () => assert.throws(() => lambda(application as never, options as never), said));
  }
});
