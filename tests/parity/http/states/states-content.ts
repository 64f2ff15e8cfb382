/** States in which content was declared: all there, half there, asked for, paused, not asked for. */
import type { Call, State } from './model.ts';
import { CHUNKED, content, get, LARGE_BYTES, post } from './wire.ts';

const HALF = 5;
const WHOLE = 10;

const asks = ({ req, journal }: Call): void => void req.on('data', () => journal.move());
const pausesAtOnce = ({ req, journal }: Call): void => {
  req.on('data', () => journal.move());
  req.pause();
};
const pausesAfterOne = ({ req, journal }: Call): void => {
  req.once('data', () => {
    req.pause();
    journal.note('paused');
  });
};
const iterates = async ({ req, journal }: Call): Promise<void> => {
  try {
    for await (const _chunk of req) journal.move();
    journal.note('iterated to the end');
  } catch (error) {
    journal.note(`iteration throws ${(error as NodeJS.ErrnoException).code}`);
  }
};
const readsSlowly = ({ req, journal }: Call): void => {
  req.on('data', () => {
    journal.move();
    req.pause();
    setTimeout(() => req.resume(), 1);
  });
};

const sends = (name: string, bytes: string, serve?: State['serve'], more: Partial<State> = {}): State => ({
  name,
  ...(serve === undefined ? {} : { serve }),
  approach: (client) => client.send(bytes),
  ...more,
});

const half = post(WHOLE) + content(HALF);
const whole = post(WHOLE) + content(WHOLE);
const large = post(LARGE_BYTES) + content(LARGE_BYTES);
const largeHalf = post(2 * LARGE_BYTES) + content(LARGE_BYTES);
const chunk = '5\r\nccccc\r\n';

const expecting = (name: string, listener: ((call: Call) => void) | undefined, serve?: State['serve']): State =>
  sends(name, post(WHOLE, 'Expect: 100-continue\r\n'), serve, {
    arrange: (server, { take, journal }) => {
      if (listener === undefined) return;
      server.on('checkContinue', (req, res) => {
        take(req, res);
        listener({ req, res, number: 1, journal });
      });
    },
  });

const nothing = (): void => undefined;

export const contentStates: readonly State[] = [
  sends('small content is there and not asked for', whole),
  sends('small content was read to its end', whole, asks),
  sends('small content is there and paused', whole, pausesAtOnce),
  sends('small content is there in a second packet and not asked for', '', undefined, {
    approach: async (client, { journal }) => {
      client.send(post(WHOLE));
      while (!journal.lines.some((line) => line.startsWith('request 1'))) await new Promise((resolve) => setImmediate(resolve));
      client.send(content(WHOLE));
    },
  }),
  sends('none of the content has come and it is not asked for', post(WHOLE)),
  sends('none of the content has come and it is asked for', post(WHOLE), asks),
  sends('half of the content has come and is not asked for', half),
  sends('half of the content has come and is asked for', half, asks),
  sends('half of the content has come and is paused', half, pausesAfterOne),
  sends('half of the content has come and is iterated', half, (call) => void iterates(call)),
  sends('large content has come and is not asked for', large),
  sends('large content has come and is paused after its first chunk', large, pausesAfterOne),
  sends('large content has come and is paused at once', large, pausesAtOnce),
  sends('half of large content has come and is not asked for', largeHalf),
  sends('half of large content has come and is asked for', largeHalf, asks),
  sends('half of large content has come and is paused', largeHalf, pausesAfterOne),
  sends('large content was read to its end', large, asks),
  sends('large content is read slowly', post(4 * LARGE_BYTES) + content(4 * LARGE_BYTES), readsSlowly, {
    isMoving: true,
    // A client that goes in order leaves content behind, and whether all of it is read before the connection
    // closes is chance.
    leaves: ['reset'],
    approach: async (client, { journal }) => {
      client.send(post(4 * LARGE_BYTES) + content(4 * LARGE_BYTES));
      const before = journal.moves;
      while (journal.moves < before + HALF) await new Promise((resolve) => setImmediate(resolve));
    },
  }),
  sends('half of chunked content has come and is not asked for', CHUNKED + chunk),
  sends('half of chunked content has come and is asked for', CHUNKED + chunk, asks),
  sends('half of chunked content has come and is paused', CHUNKED + chunk, pausesAfterOne),
  sends('half of a chunk has come and is not asked for', `${CHUNKED}a\r\nccccc`),
  sends('half of a chunk has come and is asked for', `${CHUNKED}a\r\nccccc`, asks),
  sends('chunked content is there and not asked for', `${CHUNKED}${chunk}0\r\n\r\n`),
  sends('chunked content was read to its end', `${CHUNKED}${chunk}0\r\n\r\n`, asks),
  expecting('a checkContinue listener waits', nothing),
  expecting('100 Continue was sent and no content has come', ({ res }) => res.writeContinue()),
  expecting('100 Continue was sent and content is asked for', (call) => {
    call.res.writeContinue();
    asks(call);
  }),
  expecting('a client waits for 100 Continue and nobody asks for content', undefined),
  expecting('a client waits for 100 Continue and content is asked for', undefined, asks),
  sends('a reply is given while half of the content has come', half, ({ res }) => void res.end('early')),
  sends('a reply is given while half of the content has come and is asked for', half, (call) => {
    asks(call);
    call.res.end('early');
  }),
  sends('a reply is given while half of large content has come', largeHalf, ({ res }) => void res.end('early')),
  sends('a reply is given while half of large content is paused', largeHalf, (call) => {
    pausesAfterOne(call);
    call.res.end('early');
  }),
  sends('a request follows content nobody asks for', whole + get('/second')),
  sends('a request follows large content nobody asks for', large + get('/second')),
];
