/**
 * morgan on both sides: the log lines of its formats, tokens, skips, immediate lines, and of a reply cut
 * short.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

type Token = (req: Request, res: Response, argument?: string) => string | undefined;
interface Morgan {
  (format: string | ((tokens: Record<string, Token>, req: Request, res: Response) => string | undefined), options?: object): Handler;
  token(name: string, read: Token): Morgan;
}
const morgan = load<Morgan>('morgan');

const MASKS = [
  { pattern: /\d+\.\d{3}/g, by: '<ms>' },
  { pattern: /\[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000\]/g, by: '[<clf>]' },
];

function logged(bench: Bench, format: string, options: object = {}): Application {
  const app = bench.express();
  app.use(morgan(format, { stream: { write: (line: string) => bench.note(line) }, ...options }));
  app.get('/', (req, res) => res.send('hello'));
  app.get('/empty', (req, res) => res.status(204).end());
  app.get('/stream', (req, res) => {
    res.write('part');
    res.end('end');
  });
  app.get('/fail', () => {
    throw new Error('on purpose');
  });
  app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(500).send(error.message));
  return app;
}

for (const format of ['combined', 'common', 'dev', 'short', 'tiny']) {
  same(`writes the lines of the format ${format}`, {
    build: (bench) => logged(bench, format),
    talk: async ({ client }) => {
      await client.get('/', {
        Referer: 'http://from.example/',
        'User-Agent': 'probe/1',
        Authorization: `Basic ${Buffer.from('ada:x').toString('base64')}`,
      });
      await client.get('/empty');
      await client.get('/stream');
      await client.get('/fail?why=1');
      await client.get('/missing');
    },
    masks: MASKS,
    check: (_replies, notes) => assert.equal(notes.length, 5),
  });
}

same('reads request and reply headers, the HTTP version and its own tokens', {
  build: (bench) => {
    morgan.token('shout', (req, _res, argument) => `${req.method}!${argument ?? ''}`);
    return logged(
      bench,
      ':shout[loud] :http-version :req[x-in] :res[content-length] :res[etag] :res[x-none] :remote-addr :status :total-time[0]',
      {
        skip: (_req: Request, res: Response) => res.statusCode === 204,
      },
    );
  },
  talk: async ({ client }) => {
    await client.get('/', { 'X-In': 'one' });
    await client.get('/empty');
    await client.get('/missing');
  },
  masks: [{ pattern: / \d+\\n/g, by: ' <ms>\\n' }],
  check: (_replies, notes) => assert.equal(notes.length, 2),
});

same('writes a line at the request when it is told to be immediate', {
  build: (bench) => logged(bench, ':method :url :status :res[content-type] -:response-time-', { immediate: true }),
  talk: async ({ client }) => {
    await client.get('/');
    await client.post('/', 'x=1', { 'Content-Type': 'text/plain' });
  },
});

same('writes no status for a reply that the client left', {
  build: (bench) => {
    const app = bench.express();
    app.use(morgan(':method :url :status', { stream: { write: (line: string) => bench.note(line) } }));
    app.get('/hang', (req, res) => {
      res.once('close', () => bench.note('closed'));
      bench.note('reached');
      req.socket.destroy();
    });
    return app;
  },
  talk: async ({ client, server, note }) => {
    const closed = once(server, 'connection').then(([socket]) => once(socket as NodeJS.EventEmitter, 'close'));
    await assert.rejects(client.get('/hang'));
    await closed;
    await new Promise(setImmediate);
    note('done');
  },
  check: (_replies, notes) => assert.ok(notes.includes('GET /hang -\n'), JSON.stringify(notes)),
});
