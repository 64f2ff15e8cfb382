/**
 * States of pipelined requests: the first one waits while others wait, are answered, or hold large replies.
 */
import type { Call, State } from './model.ts';
import { content, get, HUGE, LARGE_BYTES, post } from './wire.ts';

/** As many as a connection of ours takes at once, and more. */
const FULL = 16;
const BEYOND = 40;
/** As many as are begun in one turn, whatever their replies are. */
const FEW = 4;

const pipelined = (name: string, count: number, serve?: (call: Call) => void, more: Partial<State> = {}): State => ({
  name,
  ...(serve === undefined ? {} : { serve }),
  approach: (client) => client.send(Array.from({ length: count }, (_, index) => get(`/${index + 1}`)).join('')),
  ...more,
});

export const pipelineStates: readonly State[] = [
  pipelined('two pipelined requests wait', 2),
  pipelined(`${FULL} pipelined requests wait`, FULL),
  pipelined(`${BEYOND} pipelined requests wait`, BEYOND),
  pipelined('the second of two requests is answered and the first waits', 2, ({ res, number }) => {
    if (number === 2) res.end('second');
  }),
  pipelined('the second of two requests has begun its reply and the first waits', 2, ({ res, number }) => {
    if (number === 2) res.write('second');
  }),
  pipelined('the first of two requests is answered and the second waits', 2, ({ res, number }) => {
    if (number === 1) res.end('first');
  }),
  pipelined('large replies are held behind a request that waits', 4, ({ res, number }) => {
    if (number > 1) res.end(HUGE.subarray(0, LARGE_BYTES));
  }),
  pipelined(`${FEW} requests of which all but the first are answered`, FEW, ({ res, number }) => {
    if (number > 1) res.end(content(1024));
  }),
  pipelined(`${BEYOND} requests of which all but the first are answered`, BEYOND, ({ res, number }) => {
    if (number > 1) res.end(content(LARGE_BYTES / BEYOND));
  }),
  pipelined(
    'a huge reply is not drained and a request waits behind it',
    2,
    ({ res, number }) => {
      if (number === 1) res.end(HUGE);
    },
    {
      approach: (client) => {
        client.stopReading();
        client.send(get('/1') + get('/2'));
      },
    },
  ),
  pipelined('a request waits and half of a head follows', 1, undefined, {
    approach: (client) => client.send(`${get()}GET /second HTTP/1.1\r\nHo`),
  }),
  pipelined('a request waits and half of a request with content follows', 1, undefined, {
    approach: (client) => client.send(get() + post(10) + content(5)),
  }),
  pipelined('a request waits and bytes that are no request follow', 1, undefined, {
    approach: (client) => client.send(`${get()}NOT HTTP\r\n\r\n`),
  }),
];
