/**
 * Replies that are passed on piece by piece: Lambda's response streaming, which its Node runtimes offer as
 * the global `awslambda`. A reply waits while the stream is full, and ends with a client that has left.
 */
import type { Writable } from 'node:stream';
import { MemoryExchange, type MemoryRequest } from '../../exchange/memory-exchange.ts';
import type { Answering } from '../application-types.ts';
import { withoutConnection } from '../../exchange/message-exchange.ts';
import type { Deadline } from './deadline.ts';
import type { LambdaContext, LambdaResult } from './event-types.ts';
import { singleOf } from './result.ts';

interface AwsLambda {
  streamifyResponse(handler: StreamHandler): StreamHandler;
  readonly HttpResponseStream: { from(stream: Writable, prelude: object): Writable };
}

export type StreamHandler = (event: unknown, responseStream: Writable, context: LambdaContext) => Promise<void>;

/** @throws TypeError where this is not a runtime of Lambda's */
export function awsLambda(who: string): AwsLambda {
  const { awslambda } = globalThis as { awslambda?: AwsLambda };
  if (awslambda !== undefined) return awslambda;
  throw new TypeError(`${who} needs the global awslambda, which the Node runtimes of Lambda have. Elsewhere lambda() is the handler.`);
}

/** A reply that was made already. */
export async function passOn({ statusCode, headers, cookies, body }: LambdaResult, stream: Writable): Promise<void> {
  const prelude = { statusCode, headers: headers ?? {}, ...(cookies === undefined ? {} : { cookies }) };
  const out = awsLambda('lambdaStream()').HttpResponseStream.from(stream, prelude);
  out.write(body);
  out.end();
  await ended(out);
}

/** Resolves when the reply is with Lambda; rejects when it was broken off. */
export async function streamReply(
  { answer }: Answering,
  request: MemoryRequest,
  stream: Writable,
  deadline: Deadline | null,
): Promise<void> {
  const aws = awsLambda('lambdaStream()');
  await new Promise<void>((resolve, reject) => {
    let out: Writable | null = null;
    const exchange: MemoryExchange = new MemoryExchange(request, {
      onHead(statusCode, _reason, rawHeaders) {
        out = aws.HttpResponseStream.from(stream, { statusCode, ...singleOf(withoutConnection(rawHeaders)) });
        // The head goes with the first piece, and a reply without content has none.
        out.write('');
        out.on('drain', () => exchange.drained());
        ended(out).then(resolve, () => exchange.left());
      },
      onContent: (piece) => (out as Writable).write(piece),
      onEnd: () => (out as Writable).end(),
      onAbort() {
        const error = new Error('The reply was broken off.');
        out?.destroy(error);
        reject(error);
      },
    });
    deadline?.signal.addEventListener('abort', () => exchange.left(), { once: true });
    answer(exchange, (error) => {
      reject(error as Error);
      exchange.abort();
    });
  });
}

/** Settles with a stream's end; rejects where it closes before. */
function ended(out: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    out.once('finish', resolve);
    out.once('error', reject);
    out.once('close', () => reject(new Error('The client has left.')));
  });
}
