/**
 * Handlers of Lambda: an event becomes an exchange, its reply the result, or a stream. They never listen, and
 * say what went wrong around a reply in replies of their own.
 */
import type { Exchange } from '../../exchange/types.ts';
import { collect, ReplyTooLarge } from '../../app/collected.ts';
import { isMs, TIMER_MS_MAX } from '../../app/checked-options.ts';
import type { AdapterOptions, Answering, Application } from '../application-types.ts';
import { toAnswering } from '../application.ts';
import { BASE_PATH, checkOptions, expected } from '../options.ts';
import { type Deadline, deadlineOf } from './deadline.ts';
import type { LambdaContext, LambdaEvent, LambdaFormat, LambdaResult } from './event-types.ts';
import { formatOf, isWarmUp, refusal } from './format.ts';
import { toRequest } from './request.ts';
import { type IsBinary, toResult } from './result.ts';
import { awsLambda, passOn, type StreamHandler, streamReply } from './streaming.ts';

export interface LambdaOptions extends AdapterOptions {
  /** What stands before the application's paths: the mapping of a domain, a stage at a domain of one's own. */
  readonly basePath?: string;
  /** Says of a type that its content is bytes. Without it: what is not text by its type, or not UTF-8. */
  readonly binary?: IsBinary;
  /** Before the end of the function's time `c.signal` fires and the client gets 503. Default: 500. */
  readonly deadlineMs?: number;
}

export type LambdaHandler = (event: unknown, context?: LambdaContext) => Promise<LambdaResult | 'warm'>;

const DEADLINE_MS = 500;
/** Of a result, as JSON; Lambda passes on no longer one, a load balancer no more than 1 MB. */
const RESULT_BYTES_MAX = 6 * 1024 * 1024;
const ALB_BYTES_MAX = 1024 * 1024;

interface Prepared {
  readonly answering: Answering;
  readonly basePath: string;
  readonly deadlineMs: number;
}

/** @throws TypeError for what is no application, and for options that are none */
export function lambda(application: Application, options: LambdaOptions = {}): LambdaHandler {
  const prepared = prepare('lambda()', application, options);
  return async (event, context = {}) => {
    const format = formatOf(event);
    if (format === undefined) return warmOrRefuse(event, prepared, 'lambda()');
    const deadline = deadlineOf(context, prepared.deadlineMs);
    try {
      return await answer(prepared, { event: event as LambdaEvent, format, context, deadline, binary: options.binary });
    } finally {
      deadline?.stop();
    }
  };
}

/**
 * The same with replies that are passed on as they come, for function URLs in the mode `RESPONSE_STREAM`.
 * @throws TypeError where this is not a runtime of Lambda's
 */
export function lambdaStream(application: Application, options: Omit<LambdaOptions, 'binary'> = {}): StreamHandler {
  const prepared = prepare('lambdaStream()', application, options);
  return awsLambda('lambdaStream()').streamifyResponse(async (event, stream, context) => {
    const format = formatOf(event);
    if (format === undefined) {
      await warmOrRefuse(event, prepared, 'lambdaStream()');
      return void stream.end();
    }
    const deadline = deadlineOf(context, prepared.deadlineMs);
    try {
      const waiting = prepared.answering.ready();
      if (waiting !== null) await waiting;
      await streamReply(prepared.answering, toRequest(event as LambdaEvent, format, context, prepared.basePath), stream, deadline);
    } catch (error) {
      if (deadline?.isOver() !== true || stream.destroyed) throw error;
      await passOn(problem('v2', 503, 'The time of the function is over.'), stream);
    } finally {
      deadline?.stop();
    }
  });
}

function prepare(who: string, application: unknown, options: LambdaOptions): Prepared {
  checkOptions(who, options, {
    basePath: BASE_PATH,
    ...(who === 'lambda()' ? { binary: (value: unknown) => expected(typeof value === 'function', 'a function of the type') } : {}),
    deadlineMs: (value) => expected(isMs(0, value), `a number of milliseconds, at most ${TIMER_MS_MAX}`),
  });
  const { style, basePath = '', deadlineMs = DEADLINE_MS } = options;
  return {
    answering: toAnswering(application, { who, ...(style === undefined ? {} : { style }), prepare: addGateway }),
    basePath,
    deadlineMs,
  };
}

/** Where applications that came from elsewhere look for the event. */
function addGateway(req: object, { platform: apiGateway }: Exchange): void {
  Object.assign(req, { apiGateway });
}

async function warmOrRefuse(event: unknown, { answering }: Prepared, who: string): Promise<'warm'> {
  if (!isWarmUp(event)) throw refusal(event, who);
  await answering.ready();
  return 'warm';
}

interface Asked {
  readonly event: LambdaEvent;
  readonly format: LambdaFormat;
  readonly context: LambdaContext;
  readonly deadline: Deadline | null;
  readonly binary: IsBinary | undefined;
}

async function answer({ answering, basePath }: Prepared, { event, format, context, deadline, binary }: Asked): Promise<LambdaResult> {
  const waiting = answering.ready();
  if (waiting !== null) await waiting;
  const request = toRequest(event, format, context, basePath);
  const bytesMax = format === 'alb' || format === 'alb-multi' ? ALB_BYTES_MAX : RESULT_BYTES_MAX;
  try {
    const reply = await new Promise<Awaited<ReturnType<typeof collect>>>((resolve, reject) => {
      collect((exchange) => answering.answer(exchange, reject), request, bytesMax, deadline?.signal).then(resolve, reject);
    });
    const result = toResult(reply, format, binary);
    if (Buffer.byteLength(result.body) <= bytesMax) return result;
    throw new ReplyTooLarge(bytesMax);
  } catch (error) {
    if (deadline?.isOver() === true) return problem(format, 503, 'The time of the function is over.');
    if (!(error instanceof ReplyTooLarge)) throw error;
    console.error(`${request.method} ${request.target}: ${error.message} Lambda passes on no more; lambdaStream() does.`);
    return problem(format, 500, undefined);
  }
}

const TITLES: Readonly<Record<number, string>> = { 500: 'Internal Server Error', 503: 'Service Unavailable' };

/** What the adapter answers itself, as the app writes errors. */
function problem(format: LambdaFormat, status: 500 | 503, detail: string | undefined): LambdaResult {
  const content = new TextEncoder().encode(JSON.stringify({ title: TITLES[status], status, ...(detail === undefined ? {} : { detail }) }));
  const rawHeaders = ['Content-Type', 'application/problem+json'];
  return toResult({ status, reason: null, rawHeaders, content, rawTrailers: [] }, format, undefined);
}
