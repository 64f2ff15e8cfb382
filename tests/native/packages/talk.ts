/** A client for the applications of `apps`: everything that the replies show, made comparable. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { normaliseReply } from '../../parity/differences.ts';
import type { ReplyOutcome } from '../../parity/harness/case.ts';
import { encodeRequest } from '../../parity/harness/bytes.ts';
import { Talk } from '../../parity/harness/run.ts';
import type { PackageCase } from './list.ts';

const DEADLINE_MS = 20_000;

export async function talkHttp(port: number, one: PackageCase): Promise<readonly ReplyOutcome[]> {
  const replies: ReplyOutcome[] = [];
  const talk = new Talk({ port, deadlineMs: DEADLINE_MS, replies, probe: undefined });
  try {
    await talk.sequential(one.requests.map(encodeRequest), false);
  } finally {
    talk.destroy();
  }
  const lost = replies.find((reply) => reply.failure !== undefined);
  if (lost !== undefined) throw new Error(`a request has no reply: ${JSON.stringify(lost)}`);
  return replies.map(normaliseReply).map((reply) => (one.isCompressed === true ? decompressed(reply) : reply));
}

/** The bytes that a compressor makes are its own affair; what they stand for is not. */
function decompressed(reply: ReplyOutcome): ReplyOutcome {
  const encoding = reply.headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
  const bytes = Buffer.from(reply.body, 'latin1');
  if (encoding === 'gzip') return { ...reply, body: gunzipSync(bytes).toString('latin1') };
  if (encoding === 'deflate') return { ...reply, body: inflateSync(bytes).toString('latin1') };
  return encoding === 'br' ? { ...reply, body: brotliDecompressSync(bytes).toString('latin1') } : reply;
}

/** A conversation with `apps/views`. */
export async function talkWebSocket(port: number): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  for (const perMessageDeflate of [false, true]) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket?x=1`, { perMessageDeflate });
    const closed = new Promise<void>((resolve, reject) => {
      socket.on('message', (data: Buffer, isBinary: boolean) => {
        seen.push([isBinary, data.length > 100 ? data.length : data.toString()]);
        if (data.toString() === 'to all') socket.send('end');
      });
      socket.on('close', (code, reason) => {
        seen.push([code, reason.toString()]);
        resolve();
      });
      socket.on('error', reject);
    });
    const timer = setTimeout(() => socket.terminate(), DEADLINE_MS);
    socket.once('open', () => {
      seen.push(socket.extensions, socket.protocol);
      socket.send('grüße');
      socket.send(Buffer.alloc(100_000, 1));
      socket.send('all');
    });
    await closed;
    clearTimeout(timer);
  }
  return seen;
}
