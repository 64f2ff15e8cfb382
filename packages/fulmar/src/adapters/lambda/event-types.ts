/**
 * The events of AWS Lambda that are requests, as far as they are read, and what is given back.
 */

/** `null` and absent mean the same: consoles and load balancers differ. */
type Values<Value> = Readonly<Record<string, Value | undefined>> | null;

/** API Gateway's REST API and its payload format 1.0, load balancers, and Netlify's functions. */
export interface LambdaEventV1 {
  readonly version?: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly headers?: Values<string>;
  readonly multiValueHeaders?: Values<readonly string[]>;
  readonly queryStringParameters?: Values<string>;
  readonly multiValueQueryStringParameters?: Values<readonly string[]>;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  readonly requestContext?: {
    readonly stage?: string;
    readonly identity?: { readonly sourceIp?: string | null };
    readonly domainName?: string;
    readonly elb?: object;
  };
}

/** API Gateway's HTTP API (payload format 2.0), and function URLs. */
export interface LambdaEventV2 {
  readonly version: string;
  readonly rawPath: string;
  readonly rawQueryString?: string;
  readonly cookies?: readonly string[] | null;
  readonly headers?: Values<string>;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  readonly requestContext: {
    readonly stage?: string;
    readonly domainName?: string;
    readonly http: { readonly method: string; readonly path?: string; readonly sourceIp?: string };
  };
}

export type LambdaEvent = LambdaEventV1 | LambdaEventV2;

/** What is used of Lambda's context; the whole is handed on. */
export interface LambdaContext {
  readonly awsRequestId?: string;
  readonly functionName?: string;
  getRemainingTimeInMillis?(): number;
}

export interface LambdaResult {
  statusCode: number;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  cookies?: string[];
  body: string;
  isBase64Encoded: boolean;
}

export interface LambdaPlatform {
  readonly event: LambdaEvent;
  readonly context: LambdaContext;
}

/** How an event says what it says, and how its result is to be given. */
export type LambdaFormat = 'v1' | 'v2' | 'alb' | 'alb-multi';
