/**
 * `app.inject({ method, url, headers, body })`: a request without a socket, with the reply as a socket would
 * carry it.
 */
import type { Exchange } from '../exchange/types.ts';
import { collect } from './collected.ts';
import { checkOptions, type Checks, isToken } from './middleware/options.ts';

export interface InjectOptions {
  /** Default: GET, with a body POST. */
  readonly method?: string;
  /** Path and query. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A string and bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly remoteAddress?: string;
}

export interface InjectReply {
  readonly status: number;
  /** By name in lower case; of several `Set-Cookie` all. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly rawHeaders: readonly string[];
  readonly bytes: Uint8Array;
  readonly text: string;
  /** @throws SyntaxError for what is no JSON */
  json(): unknown;
}

const CHECKS: Checks<InjectOptions> = {
  method: [isToken, 'a method'],
  url: [(value) => typeof value === 'string', 'a path'],
  headers: [(value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'an object of fields by name'],
  body: [() => true, 'any value'],
  remoteAddress: [(value) => typeof value === 'string', 'an address'],
};

export async function injectInto(handle: (exchange: Exchange) => void, given: InjectOptions | string): Promise<InjectReply> {
  const options = typeof given === 'string' ? { url: given } : given;
  checkOptions('inject', options, CHECKS);
  if (options.url === undefined) throw new TypeError("inject() takes a path such as '/', or an object with one: { url }.");
  const lines: string[] = [];
  const names = new Set<string>();
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    names.add(name.toLowerCase());
    for (const one of [value].flat()) lines.push(name, one as string);
  }
  if (!names.has('host')) lines.unshift('Host', 'localhost');
  const { content, type } = toContent(options.body);
  if (content !== null && type !== null && !names.has('content-type')) lines.push('Content-Type', type);
  if (content !== null && !names.has('content-length')) lines.push('Content-Length', String(content.byteLength));
  const method = (options.method ?? (content === null ? 'GET' : 'POST')).toUpperCase();
  const address = options.remoteAddress ?? '127.0.0.1';
  const remote = { address, family: address.includes(':') ? ('IPv6' as const) : ('IPv4' as const), port: 0 };
  const reply = await collect(handle, { method, target: options.url, rawHeaders: lines, content, remote });
  const text = new TextDecoder().decode(reply.content);
  return {
    status: reply.status,
    headers: byName(reply.rawHeaders),
    rawHeaders: reply.rawHeaders,
    bytes: reply.content,
    text,
    json: () => JSON.parse(text) as unknown,
  };
}

function toContent(body: unknown): { content: Uint8Array | null; type: string | null } {
  if (body === undefined || body === null) return { content: null, type: null };
  if (body instanceof Uint8Array) return { content: body, type: 'application/octet-stream' };
  if (typeof body === 'string') return { content: new TextEncoder().encode(body), type: 'text/plain; charset=utf-8' };
  if (body instanceof URLSearchParams)
    return { content: new TextEncoder().encode(body.toString()), type: 'application/x-www-form-urlencoded' };
  return { content: new TextEncoder().encode(JSON.stringify(body)), type: 'application/json' };
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
