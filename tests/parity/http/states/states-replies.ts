/**
 * States in which a reply has begun: flushed, streaming, held up by a client that does not read, given but
 * not drained.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { nameOf } from './journal.ts';
import type { Call, State } from './model.ts';
import { get, HUGE, LARGE_BYTES } from './wire.ts';

const replies = (name: string, serve: (call: Call) => void, more: Partial<State> = {}): State => ({
  name,
  serve,
  approach: (client) => client.send(get()),
  ...more,
});

/** The client has stopped reading before the reply begins. */
const unread = (name: string, serve: (call: Call) => void, more: Partial<State> = {}): State =>
  replies(name, serve, {
    ...more,
    approach: (client) => {
      client.stopReading();
      client.send(get());
    },
  });

const streams = ({ res, journal }: Call): void => {
  const chunk = HUGE.subarray(0, LARGE_BYTES);
  const write = (): void => {
    journal.move();
    if (res.write(chunk)) setImmediate(write);
    else res.once('drain', write);
  };
  write();
};

const endless = (journal: Call['journal']): Readable => {
  const source = new Readable({ read: () => void source.push(HUGE.subarray(0, LARGE_BYTES)) });
  source.on('close', () => journal.note('source close'));
  return source;
};

let file: string | undefined;
/** A file of many chunks, removed when the process ends. */
function hugeFile(): string {
  if (file !== undefined) return file;
  const path = join(tmpdir(), `${randomUUID()}-states.bin`);
  writeFileSync(path, HUGE);
  process.on('exit', () => rmSync(path, { force: true }));
  return (file = path);
}

export const replyStates: readonly State[] = [
  replies('the head of a reply is flushed', ({ res }) => res.flushHeaders()),
  replies('the first chunk of a reply is written', ({ res }) => void res.write('first')),
  replies('the first part of a reply with a declared length is written', ({ res }) => {
    res.setHeader('Content-Length', 10);
    res.write('first');
  }),
  replies('an interim reply was sent', ({ res }) => res.writeProcessing()),
  replies('a reply is corked', ({ res }) => {
    res.cork();
    res.write('first');
  }),
  unread('a reply streams and is held up', streams, { isWriting: true }),
  unread('a huge reply is given and not drained', ({ res }) => void res.end(HUGE)),
  unread('a huge reply is written and not ended', ({ res, journal }) =>
    journal.note(`room ${res.write(HUGE, (error) => journal.note(`written ${nameOf(error)}`))}`),
  ),
  unread('a huge reply is written and ended', ({ res, journal }) => {
    res.write(HUGE, (error) => journal.note(`written ${nameOf(error)}`));
    res.end('end', () => journal.note('end called back'));
  }),
  unread(
    'a stream is piped and held up',
    ({ res, journal }) => {
      const source = endless(journal);
      source.pipe(res);
      res.on('close', () => source.destroy());
    },
    { isWriting: true },
  ),
  unread(
    'a pipeline is held up',
    ({ res, journal }) => pipeline(endless(journal), res, (error) => journal.note(`pipeline ${nameOf(error)}`)),
    { isWriting: true },
  ),
  // Its chunks are small: whether another one still fits into the operating system when the client ends its
  // side is chance.
  unread(
    'a pipeline of a file is held up',
    ({ res, journal }) => pipeline(createReadStream(hugeFile()), res, (error) => journal.note(`pipeline ${nameOf(error)}`)),
    { isWriting: true, leaves: ['reset', 'close'] },
  ),
  replies('a reply to HEAD is flushed', ({ res }) => res.flushHeaders(), {
    approach: (client) => client.send('HEAD / HTTP/1.1\r\nHost: a\r\n\r\n'),
  }),
  replies('a reply to HTTP/1.0 has begun', ({ res }) => void res.write('first'), {
    approach: (client) => client.send('GET / HTTP/1.0\r\n\r\n'),
  }),
  replies('a reply streams with httpAllowHalfOpen', ({ res }) => void res.write('first'), {
    arrange: (server) => {
      (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
    },
  }),
];
