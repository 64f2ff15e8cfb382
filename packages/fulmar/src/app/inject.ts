/**
 * `app.inject({ method, url, headers, body })`: a request without a socket, with the reply as a socket would
 * carry it.
 */
import type { Exchange } from '../exchange/types.ts';
import { collect } from './collected.ts';
import { toContent } from './inject-content.ts';
import { cookieFieldOf, type InjectOptions, targetOf, toInjectOptions } from './inject-options.ts';

export interface InjectReply {
  readonly status: number;
  /** By name in lower case; of several `Set-Cookie` all. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly rawHeaders: readonly string[];
  readonly bytes: Uint8Array;
  readonly text: string;
  /** @throws SyntaxError for what is no JSON */
  json<T = unknown>(): T;
}

export async function injectInto(handle: (exchange: Exchange) => void, given: InjectOptions | string): Promise<InjectReply> {
  const options = toInjectOptions(given);
  const lines: string[] = [];
  const names = new Set<string>();
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    names.add(name.toLowerCase());
    for (const one of [value].flat()) lines.push(name, one as string);
  }
  addCookies(lines, cookieFieldOf(options));
  if (!names.has('host')) lines.unshift('Host', 'localhost');
  const { content, type } = await toContent(options.body);
  if (content !== null && type !== null && !names.has('content-type')) lines.push('Content-Type', type);
  if (content !== null && !names.has('content-length')) lines.push('Content-Length', String(content.byteLength));
  const method = (options.method ?? (content === null ? 'GET' : 'POST')).toUpperCase();
  const remoteAddress = options.remoteAddress ?? '127.0.0.1';
  const reply = await collect(handle, { method, target: targetOf(options), rawHeaders: lines, content, remoteAddress });
  const text = new TextDecoder().decode(reply.content);
  return {
    status: reply.status,
    headers: byName(reply.rawHeaders),
    rawHeaders: reply.rawHeaders,
    bytes: reply.content,
    text,
    json: <T>() => JSON.parse(text) as T,
  };
}

/** One field line has them all (RFC 6265, 5.4). */
function addCookies(lines: string[], cookies: string | undefined): void {
  if (cookies === undefined) return;
  const at = lines.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'cookie');
  if (at < 0) lines.push('Cookie', cookies);
  else lines[at + 1] = `${lines[at + 1] as string}; ${cookies}`;
}

function byName(raw: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase();
    const value = raw[at + 1] as string;
    const before = headers[name];
    if (name === 'set-cookie') headers[name] = [...((before as string[] | undefined) ?? []), value];
    else headers[name] = before === undefined ? value : `${before as string}, ${value}`;
  }
  return headers;
}
