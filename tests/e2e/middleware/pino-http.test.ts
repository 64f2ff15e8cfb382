/**
 * pino-http on both sides: the lines it logs for replies, failures and aborts, serialisers, levels, ids,
 * req.log.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

const pinoHttp = load<(options: object, stream: { write(line: string): void }) => Handler>('pino-http');

const MASKS = [
  { pattern: /"time":\d+/g, by: '"time":0' },
  { pattern: /"pid":\d+,"hostname":"[^"]*"/g, by: '"pid":0' },
  { pattern: /"(responseTime|took)":\d+/g, by: '"$1":0' },
  { pattern: /"remotePort":\d+/g, by: '"remotePort":0' },
  { pattern: /"stack":"(?:[^"\\]|\\.)*"/g, by: '"stack":""' },
];

type Logged = Request & { log: { info(message: string): void; warn(value: object, message: string): void }; id: unknown };

function logged(options: object = {}): (bench: Bench) => Application {
  return ({ express, note }) => {
    const app = express();
    const mask = (line: string): string => MASKS.reduce((text, { pattern, by }) => text.replace(pattern, by), line);
    app.use(pinoHttp(options, { write: (line) => note(mask(line)) }));
    app.get('/', (req, res) => {
      (req as Logged).log.info('in the handler');
      res.send('hello');
    });
    app.get('/id', (req, res) => res.json({ id: (req as Logged).id }));
    app.get('/fail', () => {
      throw new Error('on purpose');
    });
    app.get('/hang', (req) => void req.socket.destroy());
    app.use((error: Failure, req: Request, res: Response, _next: Next) => {
      (res as Response & { err?: Error }).err = error;
      res.status(500).send('failed');
    });
    return app;
  };
}

same('logs replies, missing pages, failures and own lines', {
  build: logged(),
  talk: async ({ client }) => {
    await client.get('/?q=1', { 'User-Agent': 'probe' });
    await client.get('/missing');
    await client.get('/fail');
    await client.json('/', { a: 1 });
  },
  check: (_replies, notes) => {
    assert.equal(notes.length, 5);
    assert.match(String(notes[0]), /in the handler/);
    assert.match(String(notes[1]), /request completed/);
  },
});

same('takes ids, levels, messages, serialisers and requests not to log', {
  build: logged({
    genReqId: (req: Request, res: Response) => {
      const id = req.get('X-Request-Id') ?? 'made';
      res.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: (_req: Request, res: Response, error?: Error) =>
      error || res.statusCode >= 500 ? 'fatal' : res.statusCode >= 400 ? 'warn' : 'debug',
    level: 'debug',
    customSuccessMessage: (req: Request, res: Response) => `${req.method} ${res.statusCode}`,
    customErrorMessage: (_req: Request, _res: Response, error: Error) => `went wrong: ${error.message}`,
    customReceivedMessage: () => 'received',
    customAttributeKeys: { req: 'request', res: 'reply', err: 'failure', responseTime: 'took' },
    customProps: (req: Request) => ({ path: req.url }),
    serializers: { req: ({ method, url }: { method: string; url: string }) => ({ method, url }) },
    autoLogging: { ignore: (req: Request) => req.url === '/id' },
    quietReqLogger: true,
  }),
  talk: async ({ client }) => {
    await client.get('/', { 'X-Request-Id': 'given' });
    for (const path of ['/id', '/missing', '/fail']) await client.get(path);
  },
});

same('logs an aborted request', {
  build: logged(),
  talk: async ({ client, server }) => {
    const closed = once(server, 'connection').then(([socket]) => once(socket as NodeJS.EventEmitter, 'close'));
    await assert.rejects(client.get('/hang'));
    await closed;
  },
  check: (_replies, notes) => assert.match(JSON.stringify(notes), /request aborted/),
});
