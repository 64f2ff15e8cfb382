/** Turns a request of a case into the bytes on the wire. First step of the client; never opens a socket. */
import type { RequestInput, StructuredRequest } from './case.ts';

export interface EncodedRequest {
  readonly bytes: Buffer;
  /** One entry per reply to read: the method decides whether a reply has content. */
  readonly methods: readonly string[];
}

const DEFAULT_HOST = 'parity.test';

export function encodeRequest(input: RequestInput): EncodedRequest {
  if (typeof input === 'string') {
    const space = input.indexOf(' ');
    return encodeStructured({ method: input.slice(0, space), path: input.slice(space + 1) });
  }
  if (!('raw' in input)) return encodeStructured(input);
  const bytes = typeof input.raw === 'string' ? Buffer.from(input.raw, 'latin1') : Buffer.from(input.raw);
  return { bytes, methods: input.methods ?? [methodOf(bytes)] };
}

function encodeStructured(request: StructuredRequest): EncodedRequest {
  const method = request.method ?? 'GET';
  const body = typeof request.body === 'string' ? Buffer.from(request.body) : Buffer.from(request.body ?? []);
  const lines = [`${method} ${request.path ?? '/'} HTTP/${request.version ?? '1.1'}`];
  const given = Object.entries(request.headers ?? {});
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  if (request.noHost !== true && !names.has('host')) lines.push(`Host: ${DEFAULT_HOST}`);
  for (const [name, value] of given) {
    for (const one of typeof value === 'string' ? [value] : value) lines.push(`${name}: ${one}`);
  }
  const framed = names.has('content-length') || names.has('transfer-encoding');
  if (request.body !== undefined && !framed) lines.push(`Content-Length: ${body.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return { bytes: Buffer.concat([head, body]), methods: [method] };
}

function methodOf(bytes: Buffer): string {
  return bytes.subarray(0, 40).toString('latin1').split(' ', 1)[0] ?? 'GET';
}
