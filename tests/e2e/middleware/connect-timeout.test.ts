/** connect-timeout on both sides: replies in time, too late, cleared, not responding by itself. */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

const timeout = load<(time: string | number, options?: object) => Handler>('connect-timeout');

type Timed = Request & { clearTimeout(): void };

function timed({ express, note }: Bench): Application {
  const app = express();
  const halt: Handler = (req, _res, next) => {
    if (!req.timedout) next();
  };
  app.get('/fast', timeout('5s'), (req, res) => res.json({ timedout: req.timedout }));
  app.get(
    '/late',
    timeout('20ms'),
    (req, _res, next) =>
      void req.on('timeout', (ms: number) => {
        note({ late: ms, timedout: req.timedout });
        next();
      }),
    halt,
    () => note('must not be reached'),
  );
  app.get('/cleared', timeout(10), (req, res) => {
    (req as Timed).clearTimeout();
    setTimeout(() => res.json({ timedout: req.timedout }), 30);
  });
  app.get('/quiet', timeout(10, { respond: false }), (req, res) => {
    req.on('timeout', () => res.status(200).json({ timedout: req.timedout }));
  });
  app.get('/stream', timeout(5000), (req, res) => {
    res.write('started ');
    setImmediate(() => res.end('ended'));
  });
  app.use((error: Failure, req: Request, res: Response, _next: Next) =>
    res.status(error.status ?? 500).json({ code: error.code, message: error.message, timeout: Reflect.get(error, 'timeout') }),
  );
  return app;
}

same('lets replies in time pass, also streamed ones', {
  build: timed,
  talk: async ({ client }) => {
    await client.get('/fast');
    await client.get('/stream');
    await client.get('/cleared');
  },
  check: ([fast]) => assert.equal(fast?.content, '{"timedout":false}'),
});

same('fails late ones with 503, and the halted chain goes no further', {
  build: timed,
  talk: async ({ client }) => void (await client.get('/late')),
  check: ([late], notes) => {
    assert.equal(late?.line, '503 Service Unavailable');
    assert.equal(notes.length, 1);
  },
});

same('only tells when it is not to respond', {
  build: timed,
  talk: async ({ client }) => void (await client.get('/quiet')),
  check: ([reply]) => assert.equal(reply?.content, '{"timedout":true}'),
});
