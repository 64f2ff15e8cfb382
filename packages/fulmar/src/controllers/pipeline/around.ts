/**
 * What ready-made interceptors ask of a context and say in a reply: of the app's own context where nobody has made `req`
 * and `res`, so that they are not made for it; of these elsewhere, also of those of a test. Never reads a content.
 */
import { Reply as AppReply } from '../../app/reply-value.ts';
import { StreamableFile } from '../http/streamable-file.ts';
import { KEYS } from '../metadata/keys.ts';
import { readOwn } from '../metadata/reflect.ts';
import type { ArgumentsHost, ExecutionContext } from '../nest-types.ts';
import { Host } from './host.ts';
import type { RoutePlan } from './plan.ts';

/** A request, as far as interceptors look at it. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly host: string;
  readonly ip: string;
  /** `name` in lower case. */
  header(name: string): string | undefined;
}

interface Req {
  readonly method?: string;
  readonly url?: string;
  readonly originalUrl?: string;
  readonly ip?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export function asked(context: ExecutionContext): Asked {
  if (!(context instanceof Host)) return ofRequest(context.getRequest<Req>());
  const { c } = context;
  if (context.hasMessages) return { ...ofRequest(context.messages.req as Req), host: c.host, ip: c.ip };
  return { method: c.method, url: c.url, host: c.host, ip: c.ip, header: (name) => c.header(name) };
}

function ofRequest({ method = 'GET', url = '/', originalUrl = url, ip = '', headers = {} }: Req): Asked {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'object' ? value.join(', ') : value;
  };
  return { method, url: originalUrl, host: header('host') ?? '', ip, header };
}

/** Not once the reply has begun. */
export function setField(context: ArgumentsHost, name: string, value: string): void {
  if (context instanceof Host && !context.hasMessages) {
    if (!context.c.isBegun) context.c.header(name, value);
    return;
  }
  const res = context.getResponse<{ headersSent?: boolean; setHeader(field: string, text: string): void }>();
  if (res.headersSent !== true) res.setHeader(name, value);
}

/** Of the reply, whoever has set it. */
export function hasField(context: ArgumentsHost, name: string): boolean {
  if (context instanceof Host && !context.hasMessages) return context.c.lines?.has(name) === true;
  return context.getResponse<{ getHeader(field: string): unknown }>().getHeader(name) !== undefined;
}

/** Another one is there after a handler that sets a status or fields by itself; null once the reply has begun. */
export function headOf(context: ExecutionContext): string | null {
  if (!(context instanceof Host)) return '';
  const { c, route } = context;
  if (c.isBegun) return null;
  if (!context.hasMessages) return `${c.statusCode === 0 ? route.status : c.statusCode}\r\n${textOf([...(c.lines?.entries() ?? [])])}`;
  const { res } = context.messages;
  if (res.headersSent || res.writableEnded) return null;
  const fields = Object.entries(res.getHeaders()).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)] as const));
  return `${res.statusCode}\r\n${textOf(fields)}`;
}

/** `X-Powered-By` comes with `res`. */
function textOf(fields: readonly (readonly [name: string, value: string])[]): string {
  const lines = fields.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return lines
    .filter((line) => !line.startsWith('x-powered-by: '))
    .toSorted()
    .join('\r\n');
}

const planOf = (context: ExecutionContext): Partial<RoutePlan> => (context instanceof Host ? context.route : {});

/** What `@Header()` of the route says; `name` in lower case. */
export function routeField(context: ExecutionContext, name: string): string | undefined {
  const found = planOf(context).headers?.find((field) => field.name.toLowerCase() === name)?.value;
  return typeof found === 'function' ? found() : found;
}

/** Its Observable is to arrive as one: who waits for its end breaks it. */
export const isEventRoute = (context: ExecutionContext): boolean =>
  planOf(context).isSse ?? readOwn(KEYS.sse, context.getHandler()) === true;

/** What its handler returns is not the content of a reply: the handler answers itself, or names a place or the data of a view. */
export function isAnsweredOtherwise(context: ExecutionContext): boolean {
  const { ownsReply = false, redirect = null, render = null } = planOf(context);
  return ownsReply || redirect !== null || render !== null;
}

/** The handler answers itself, by `res`. */
export const ownsReply = (context: ExecutionContext): boolean => planOf(context).ownsReply === true;

/** Files, streams and replies leave as they are: they are no data to be kept, wrapped or looked through. */
export function isSentAsIs(value: unknown, context?: ExecutionContext): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // A handler that returns the app's context has said there what is to be sent.
  if (context instanceof Host && value === context.c) return true;
  if (value instanceof StreamableFile || value instanceof AppReply || value instanceof Response) return true;
  if (value instanceof ReadableStream || typeof (value as { pipe?: unknown }).pipe === 'function') return true;
  return Symbol.asyncIterator in value;
}
