/**
 * One request to the application and what came of it. Uses Node's own client, on a connection of its own for
 * each request.
 */
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { REPLY_BYTES_MAX, REPLY_TIMEOUT_MS, MS_PER_S } from './limits.ts';

export interface Question {
  readonly method: string;
  readonly path: string;
  /** `name: value`. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly bytes: number;
  /** The reply began but was not waited for: an endless one. */
  readonly isCut: boolean;
}

export type Address = { readonly host: string; readonly port: number } | { readonly path: string };

/**
 * What is said of a reply that was not waited for any longer; everything else means that a connection broke.
 */
export const LATE = `no complete reply within ${REPLY_TIMEOUT_MS / MS_PER_S} s`;

/** Rejects when no reply comes, or none that is complete and no stream of events. */
export function ask(address: Address, { method, path, headers, body }: Question): Promise<Answer> {
  const where = 'path' in address ? { socketPath: address.path, host: 'localhost' } : { host: reachable(address.host), port: address.port };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ ...where, path, method, headers: toHeaders(headers, body), agent: false });
    const timer = setTimeout(() => request.destroy(new Error(LATE)), REPLY_TIMEOUT_MS);
    request.once('error', reject).once('close', () => clearTimeout(timer));
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, type: '', bytes: 0, isCut: true });
    });
    request.once('response', (response) => collect(response, resolve, reject));
    request.end(body);
  });
}

function collect(response: IncomingMessage, resolve: (answer: Answer) => void, reject: (error: Error) => void): void {
  const type = response.headers['content-type'] ?? '';
  let bytes = 0;
  const done = (isCut: boolean): void => resolve({ status: response.statusCode ?? 0, type, bytes, isCut });
  const cut = (): void => {
    done(true);
    response.destroy();
  };
  response.once('error', reject).once('end', () => done(false));
  if (type.startsWith('text/event-stream')) {
    cut();
    return;
  }
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > REPLY_BYTES_MAX) cut();
  });
}

/** An address to connect to, for one that means all of them. */
function reachable(host: string): string {
  return host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host;
}

function toHeaders(lines: readonly string[], body: string | undefined): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    const earlier = found[name];
    found[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  const hasLength = Object.keys(found).some((name) => name.toLowerCase() === 'content-length');
  if (body !== undefined && !hasLength) found['Content-Length'] = String(Buffer.byteLength(body));
  return found;
}
