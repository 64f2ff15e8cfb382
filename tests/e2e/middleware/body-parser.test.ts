/**
 * body-parser on both sides: json, urlencoded, text, raw; limits, codings, charsets, verify, and every
 * refusal.
 */
import assert from 'node:assert/strict';
import net from 'node:net';
import zlib from 'node:zlib';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

interface BodyParser {
  json(options?: object): Handler;
  urlencoded(options?: object): Handler;
  text(options?: object): Handler;
  raw(options?: object): Handler;
}
const bodyParser = load<BodyParser>('body-parser');

function parsed({ express }: Bench): Application {
  const app = express();
  const echo: Handler = (req, res) => res.json({ body: req.body ?? null, type: Buffer.isBuffer(req.body) ? 'buffer' : typeof req.body });
  const verify = (_req: Request, _res: unknown, bytes: Buffer, charset: string): void => {
    if (bytes.includes('forbidden')) throw Object.assign(new Error(`forbidden in ${charset}`), { status: 451 });
  };
  app.post('/json', bodyParser.json({ limit: '2kb', verify }), echo);
  app.post(
    '/loose',
    bodyParser.json({
      strict: false,
      type: ['application/*+json', 'text/plain'],
      reviver: (_key: string, value: unknown) => (value === 1 ? 'one' : value),
    }),
    echo,
  );
  app.post('/form', bodyParser.urlencoded({ extended: true, parameterLimit: 5, depth: 3 }), echo);
  app.post('/simple', bodyParser.urlencoded({ extended: false }), echo);
  app.post('/text', bodyParser.text({ type: '*/*', defaultCharset: 'latin1' }), echo);
  app.post('/raw', bodyParser.raw({ type: () => true, limit: 100_000, inflate: false }), echo);
  app.post('/twice', bodyParser.json(), bodyParser.json(), bodyParser.text({ type: '*/*' }), echo);
  app.use((error: Failure, req: Request, res: Response, _next: Next) =>
    res.status(error.status ?? 500).json({ name: error.name, type: error.type ?? null, message: error.message }),
  );
  return app;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

same('parses JSON, and tells each way it can be wrong', {
  build: parsed,
  talk: async ({ client }) => {
    for (const body of [
      '{"a":[1,{"b":null}]}',
      '[]',
      '',
      '"text"',
      'true',
      '{"a":',
      '{"__proto__":{"x":1}}',
      '\ufeff{"bom":1}',
      '  {"pad":1}  ',
      '{"a":"forbidden"}',
    ]) {
      await client.post('/json', body, JSON_TYPE);
    }
    await client.post('/json', JSON.stringify({ long: 'x'.repeat(3000) }), JSON_TYPE);
    await client.post('/json', '{"a":1}', { 'Content-Type': 'text/plain' });
    await client.post('/json', '{"a":1}', { 'Content-Type': 'application/json; charset=koi8-r' });
    await client.post('/json', Buffer.from('{"a":"ü"}', 'utf16le'), { 'Content-Type': 'application/json; charset=utf-16le' });
    await client.post('/json', '{"a":1}');
    await client.get('/json');
    await client.post('/loose', '1', { 'Content-Type': 'application/x+json' });
    await client.post('/loose', '{"a":1,"b":2}', { 'Content-Type': 'text/plain' });
    await client.post('/twice', '{"a":1}', JSON_TYPE);
  },
  check: (replies) => {
    assert.equal(replies[0]?.content, '{"body":{"a":[1,{"b":null}]},"type":"object"}');
    assert.equal(replies[10]?.line, '413 Payload Too Large');
  },
});

same('parses forms, nested and flat, within its limits', {
  build: parsed,
  talk: async ({ client }) => {
    for (const path of ['/form', '/simple']) {
      for (const body of [
        'a=1&b=2&a=3',
        'x[y][z]=1&l[]=1&l[]=2',
        'a[b][c][d][e]=deep',
        'a=1&b=1&c=1&d=1&e=1&f=1',
        'sp=a+b%20c&bad=%',
        'u=%E2%98%83&=empty&novalue',
        '__proto__[x]=1&constructor=2',
        '',
      ]) {
        await client.post(path, body, FORM_TYPE);
      }
      await client.post(path, 'a=%FC', { 'Content-Type': 'application/x-www-form-urlencoded; charset=iso-8859-1' });
      await client.post(path, 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded; charset=x-none' });
    }
  },
});

same('reads text and raw content', {
  build: parsed,
  talk: async ({ client }) => {
    await client.post('/text', Buffer.from([0xe9, 0x41]), { 'Content-Type': 'text/plain' });
    await client.post('/text', 'ü', { 'Content-Type': 'text/plain; charset=utf-8' });
    await client.post('/raw', Buffer.from([0, 255, 10]), { 'Content-Type': 'application/octet-stream' });
    await client.post('/raw', Buffer.alloc(90_000, 'r'));
    await client.send({ method: 'POST', path: '/raw', pieces: ['one', 'two', Buffer.alloc(20_000, '3')] });
    await client.send({ method: 'POST', path: '/raw', pieces: Array.from({ length: 20 }, () => Buffer.alloc(10_000)) });
  },
});

same('decodes content codings and counts the limit on the output', {
  build: parsed,
  talk: async ({ client }) => {
    const body = JSON.stringify({ text: 'coded' });
    const coded = {
      gzip: zlib.gzipSync(body),
      deflate: zlib.deflateSync(body),
      br: zlib.brotliCompressSync(body),
      identity: Buffer.from(body),
      'x-own': Buffer.from(body),
    };
    for (const [coding, bytes] of Object.entries(coded)) await client.post('/json', bytes, { ...JSON_TYPE, 'Content-Encoding': coding });
    await client.post('/json', zlib.gzipSync(JSON.stringify({ bomb: 'x'.repeat(1_000_000) })), {
      ...JSON_TYPE,
      'Content-Encoding': 'gzip',
    });
    await client.post('/json', Buffer.from('not gzip'), { ...JSON_TYPE, 'Content-Encoding': 'gzip' });
    await client.post('/json', coded.gzip.subarray(0, 12), { ...JSON_TYPE, 'Content-Encoding': 'gzip' });
    await client.post('/raw', coded.gzip, { 'Content-Encoding': 'gzip' });
    await client.post('/json', body, JSON_TYPE);
  },
  check: ([gzip]) => assert.match(gzip?.content ?? '', /coded/),
});

same('fails with "request aborted" when the client leaves before the end', {
  build: ({ express, note }) => {
    const app = express();
    app.use(bodyParser.json());
    app.use((error: Failure, req: Request, res: Response, _next: Next) => {
      note({ status: error.status, code: error.code, type: error.type, message: error.message });
      res.end();
    });
    return app;
  },
  talk: async ({ port, server }) => {
    const closed = new Promise((resolve) => server.once('connection', (socket: net.Socket) => socket.once('close', resolve)));
    const socket = net.connect(port, '127.0.0.1');
    await new Promise<void>((resolve) =>
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":', () => resolve()),
    );
    socket.end();
    await closed;
    socket.destroy();
  },
  check: (_replies, notes) => assert.match(JSON.stringify(notes), /request aborted/),
});
