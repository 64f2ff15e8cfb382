/**
 * One request and its reply, outside the load: to see whether a server is there, and what the right reply is.
 *
 * Uses Node's own client on a connection of its own for each request.
 */
import { Buffer } from 'node:buffer';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECT_POLL_MS, MS_PER_S, REPLY_BYTES_MAX, REPLY_TIMEOUT_MS } from './limits.ts';

/** What is asked of each path. */
export interface Question {
  readonly method: string;
  /** `name: value`. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
}

export interface Reply {
  readonly status: number;
  /** `Content-Type`, or the empty string. */
  readonly type: string;
  readonly body: Buffer;
}

/** Where a server listens: `http://127.0.0.1:3000`. */
export type Origin = string;

/** Rejects when there is no complete reply. */
export function ask(origin: Origin, path: string, question: Question): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const request = httpRequest({
      host: hostname.replaceAll(/^\[|\]$/g, ''),
      port: port === '' ? 80 : Number(port),
      path: fill(path),
      method: question.method,
      headers: toHeaders(question),
      agent: false,
    });
    const timer = setTimeout(
      () => request.destroy(new Error(`no complete reply within ${REPLY_TIMEOUT_MS / MS_PER_S} s`)),
      REPLY_TIMEOUT_MS,
    );
    request.once('error', reject).once('close', () => clearTimeout(timer));
    request.once('response', (response) => collect(response).then(resolve, reject));
    request.end(question.body === undefined ? undefined : fill(question.body));
  });
}

function collect(response: IncomingMessage): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    if (response.headers['content-type']?.startsWith('text/event-stream'))
      response.destroy(new Error('a stream of events, which has no end'));
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > REPLY_BYTES_MAX) response.destroy(new Error(`a reply of more than ${REPLY_BYTES_MAX} bytes`));
      else chunks.push(chunk);
    });
    response.once('error', reject);
    response.once('end', () =>
      resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body: Buffer.concat(chunks) }),
    );
  });
}

function toHeaders({ headers, body }: Question): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const line of headers) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(fill(line)) ?? [];
    const earlier = found[name];
    found[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  const isNamed = Object.keys(found).some((name) => name.toLowerCase() === 'content-length');
  if (body !== undefined && !isNamed) found['Content-Length'] = String(Buffer.byteLength(fill(body)));
  return found;
}

/**
 * Does the load generator make a value of its own in each request? Then replies may differ from each other.
 */
export function isGenerated(path: string, { headers, body }: Question): boolean {
  return [path, ...headers, body ?? ''].some((text) => generated.test(text));
}

const generated = /\{\{(?:counter|id|uuid)\}\}/;

function fill(text: string): string {
  return text.replaceAll('{{counter}}', '0').replaceAll('{{id}}', '1').replaceAll('{{uuid}}', '00000000-0000-4000-8000-000000000000');
}

/** Asks until there is a reply that `isRight`; `undefined` after the deadline or when `isOver`. */
export async function firstReply(
  origin: Origin,
  path: string,
  question: Question,
  { deadlineMs, isRight, isOver }: { deadlineMs: number; isRight: (reply: Reply) => boolean; isOver: () => boolean },
): Promise<Reply | undefined> {
  const end = performance.now() + deadlineMs;
  while (performance.now() < end && !isOver()) {
    const reply = await ask(origin, path, question).catch(() => undefined);
    if (reply !== undefined && isRight(reply)) return reply;
    await sleep(CONNECT_POLL_MS);
  }
  return undefined;
}
