/**
 * `fulmar/adapters/netlify`: an application as a function of Netlify's: of today's, which takes a `Request`
 * (edge functions, too), and of the older ones, which take an event as Lambda does.
 */
import { collect } from '../../app/collected.ts';
import type { AdapterOptions, Application } from '../application-types.ts';
import { toAnswering } from '../application.ts';
import { toFetchDoor } from '../fetch-door.ts';
import { BASE_PATH, checkOptions } from '../options.ts';
import { platformOf } from '../platform.ts';
import type { LambdaContext, LambdaEventV1, LambdaResult } from '../lambda/event-types.ts';
import { formatOf, refusal } from '../lambda/format.ts';
import { toRequest } from '../lambda/request.ts';
import { toResult } from '../lambda/result.ts';

/** What is used of Netlify's context. */
export interface NetlifyContext {
  readonly ip?: string;
  waitUntil?(promise: Promise<unknown>): void;
}

export interface NetlifyPlatform {
  readonly context: NetlifyContext | LambdaContext;
  /** Of the older functions. */
  readonly event?: LambdaEventV1;
}

export interface NetlifyOptions extends AdapterOptions {
  /** Of older functions, whose events have it: what stands before the application's paths, `/.netlify/functions/api`. */
  readonly basePath?: string;
}

export interface NetlifyFunction {
  (request: Request, context?: NetlifyContext): Promise<Response>;
  (event: LambdaEventV1, context?: LambdaContext): Promise<LambdaResult>;
}

const WHO = 'netlify()';
/** Netlify sets it, whatever the client has sent. */
const CLIENT = 'x-nf-client-connection-ip';

/**
 * `export default netlify(app)`, for older functions `export const handler = netlify(app)`.
 * @throws TypeError for what is no application, and for options that are none
 */
export function netlify(application: Application, options: NetlifyOptions = {}): NetlifyFunction {
  checkOptions(WHO, options, { basePath: BASE_PATH });
  const { basePath = '', ...others } = options;
  const answering = toAnswering(application, { who: WHO, ...others });
  const door = toFetchDoor(answering);
  const byEvent = async (event: unknown, context: LambdaContext): Promise<LambdaResult> => {
    if (formatOf(event) !== 'v1') throw refusal(event, WHO);
    const waiting = answering.ready();
    if (waiting !== null) await waiting;
    const request = toRequest(withClient(event as LambdaEventV1), 'v1', context, basePath);
    const reply = await new Promise<Awaited<ReturnType<typeof collect>>>((resolve, reject) => {
      collect((exchange) => answering.answer(exchange, reject), request).then(resolve, reject);
    });
    return toResult(reply, 'v1', undefined);
  };
  const call = (given: unknown, context: object = {}): Promise<Response | LambdaResult> =>
    given instanceof Request
      ? door(given, { remoteAddress: addressOf(given, context), platform: { context } satisfies NetlifyPlatform }, [context])
      : byEvent(given, context as LambdaContext);
  return call as NetlifyFunction;
}

const addressOf = (request: Request, { ip }: NetlifyContext): string | undefined => ip ?? request.headers.get(CLIENT) ?? undefined;

/** Where a request of API Gateway's has its client. */
function withClient(event: LambdaEventV1): LambdaEventV1 {
  const sourceIp = event.headers?.[CLIENT] ?? null;
  return { ...event, requestContext: { ...event.requestContext, identity: { sourceIp } } };
}

/** What Netlify gave beside a request. */
export function platform(from: object): NetlifyPlatform {
  return platformOf(from, WHO) as NetlifyPlatform;
}

export default { netlify, platform };
