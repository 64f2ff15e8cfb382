/** A client that has the whole reply leaves before the application has said that it is the end. */
import { Readable, finished, pipeline } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParityCase } from '../harness/case.ts';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { defineSuite } from '../harness/suite.ts';

const CLIENTS = 40;
const LATER_MS = 2;
const SETTLED_MS = 60;
const WHOLE = 'whole';

type Give = (req: IncomingMessage, res: ServerResponse, note: (what: string) => void) => void;

/**
 * As many clients as it takes to see a race, one after the other; what was noted is compared as a set with
 * how often.
 */
function leaving(name: string, give: Give): ParityCase {
  return {
    name,
    server: (http, ctx) => {
      const noted = new Map<string, number>();
      let clients = 0;
      const done = ctx.pending();
      return http.createServer((req, res) => {
        const note = (what: string): void => void noted.set(what, (noted.get(what) ?? 0) + 1);
        for (const what of ['finish', 'close']) res.on(what, () => note(`res ${what}`));
        for (const what of ['aborted', 'error', 'end', 'close']) req.on(what, () => note(`req ${what}`));
        setTimeout(() => {
          res.setHeader('Content-Length', WHOLE.length);
          give(req, res, note);
        }, LATER_MS);
        clients += 1;
        if (clients < CLIENTS) return;
        setTimeout(() => {
          ctx.record(...[...noted].map(([what, times]) => `${what} ${times}`).toSorted());
          done();
        }, SETTLED_MS);
      });
    },
    client: async (client) => {
      for (let index = 0; index < CLIENTS; index += 1) {
        const connection = await client.connect();
        connection.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
        await connection.read('GET');
        connection.socket.end();
        await connection.closed();
      }
      await delay(2 * SETTLED_MS);
    },
  };
}

async function* endedLater(): AsyncGenerator<string> {
  yield WHOLE;
  await turn();
}

const piped: Give = (req, res, note) => {
  pipeline(Readable.from(endedLater()), res, (error) => note(error?.message ?? 'piped'));
  req.resume();
};

defineSuite([
  leaving('its reply is finished', piped),
  leaving('also when somebody knows the socket', (req, res, note) => {
    note(typeof req.socket.remotePort);
    piped(req, res, note);
  }),
  leaving('and who waits for its end sees no error', (req, res, note) => {
    finished(res, (error) => note(error?.message ?? 'finished'));
    res.write(WHOLE);
    setImmediate(() => res.end(() => note('called back')));
  }),
  leaving('one that is never ended is closed', (_req, res) => void res.write(WHOLE)),
]);
