/**
 * How the value of a handler becomes the reply, picked at start: at once where nobody has asked for `res`, by `res`
 * elsewhere.
 */
import type { AnyContext } from '../../app/index.ts';
import { ANSWERED } from '../../app/mount.ts';
import { JsonReply, Reply as AppReply } from '../../app/reply-value.ts';
import type { Environment } from '../http/environment.ts';
import { isLight, sendNothing, sendText } from '../http/light-reply.ts';
import { replyBy } from '../http/message-reply.ts';
import { StreamableFile } from '../http/streamable-file.ts';
import { Host } from './host.ts';
import type { Redirect, RoutePlan } from './plan.ts';
import type { Reply } from './run.ts';
import { sendEvents } from './sse.ts';
import { after } from './values.ts';

const hostFor = (c: AnyContext, host: Host | null, plan: RoutePlan, environment: Environment): Host =>
  host ?? prepared(new Host(c, plan, environment, () => undefined));

function prepared(host: Host): Host {
  host.prepare();
  return host;
}

/** What a schema of the reply is for is the content that a handler returns: where it answers otherwise, it only documents. */
export function replierOf(plan: RoutePlan, environment: Environment): Reply {
  const reply = plainReplierOf(plan, environment);
  const { checkReply } = plan;
  if (checkReply === null || plan.ownsReply || plan.isSse || plan.render !== null || plan.redirect !== null) return reply;
  return (c, host, value) => {
    const status = statusOf(c, host, plan);
    return after(checkReply(c, value, status), (sent) => {
      if (sent === value || !(sent instanceof JsonReply)) return reply(c, host, sent);
      const text = sent.value as string;
      if (host?.hasMessages !== true && !environment.hasSettings && isLight(c, status)) return sendText(c, status, environment.json, text);
      const { res } = hostFor(c, host, plan, environment).messages;
      if (res.getHeader('Content-Type') === undefined) res.type('json');
      res.send(text);
      return ANSWERED;
    });
  };
}

/** Once there is `res`, it says what the status is. */
function statusOf(c: AnyContext, host: Host | null, { status }: RoutePlan): number {
  if (host?.hasMessages === true) return host.messages.res.statusCode;
  return c.statusCode === 0 ? status : c.statusCode;
}

function plainReplierOf(plan: RoutePlan, environment: Environment): Reply {
  if (plan.ownsReply) return () => ANSWERED;
  if (plan.isSse) return (_c, host, value) => eventsOf(host as Host, value);
  if (plan.render !== null) return renders(plan.render);
  if (plan.redirect !== null) return redirects(plan.redirect);
  return (c, host, value) => {
    if (host?.hasMessages !== true) {
      const sent = environment.hasSettings ? undefined : lightly(c, value, plan.status, environment);
      if (sent !== undefined) return sent;
    }
    if (isOfApp(value)) return value;
    replyBy(hostFor(c, host, plan, environment).messages.res, value);
    return ANSWERED;
  };
}

/** `undefined`: not here. */
function lightly(c: AnyContext, value: unknown, routeStatus: number, { firstLines, html, json }: Environment): unknown {
  const status = c.statusCode === 0 ? routeStatus : c.statusCode;
  if (value === undefined || value === null || value === c)
    return c.exchange.method === 'HEAD' || status === 205 || status === 304 ? undefined : sendNothing(c, status, firstLines);
  if (!isLight(c, status)) return undefined;
  if (typeof value === 'string') return sendText(c, status, html, value);
  if (typeof value !== 'object') return typeof value === 'function' ? undefined : sendText(c, status, html, String(value));
  if (!isPlain(value)) return undefined;
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : sendText(c, status, json, text);
}

/** What is JSON, whatever its class; not what is sent in another way. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || Array.isArray(value)) return true;
  return !(value instanceof StreamableFile || value instanceof Error || isOfApp(value));
}

/** What the app itself knows how to send: replies of its context, those of the web, streams. */
function isOfApp(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof AppReply || value instanceof Response || value instanceof ReadableStream) return true;
  return typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function' && !(value instanceof StreamableFile);
}

async function eventsOf(host: Host, value: unknown): Promise<typeof ANSWERED> {
  await sendEvents(await value, host.messages.res, host.environment.logger);
  return ANSWERED;
}

const renders =
  (view: string): Reply =>
  (_c, host, value) => {
    const { res } = (host as Host).messages;
    const data = typeof value === 'object' && value !== null ? { ...value } : {};
    return new Promise((resolve, reject) => {
      res.render(view, data, (error: unknown, html?: string) => {
        if (error) return reject(error as Error);
        res.send(html);
        resolve(ANSWERED);
      });
    });
  };

const redirects =
  ({ url, statusCode = 302 }: Redirect): Reply =>
  (_c, host, value) => {
    const given = (typeof value === 'object' && value !== null ? value : {}) as { url?: string; statusCode?: number };
    (host as Host).messages.res.redirect(given.statusCode || statusCode, given.url || url);
    return ANSWERED;
  };
