/**
 * Deprecations of version 4 point at the line of the application that used what is deprecated, whatever our
 * files lie between.
 */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { basename } from 'node:path';
import nodeHttp from 'node:http';
import type { Server } from 'node:http';
import express4 from '../../../src/express/express4/index.ts';

type Call = (...values: readonly unknown[]) => unknown;

/** The deprecated members, with the arguments their types do not have. */
interface Reply {
  send: Call;
  json: Call;
  jsonp: Call;
  status: (code: unknown) => Reply;
  redirect: Call;
  vary: () => Reply;
  sendfile: Call;
  end: Call;
}

interface Asked {
  param: Call;
  host: unknown;
  acceptsCharset: Call;
}

type Use = (res: Reply, req: Asked) => unknown;

const FILE = basename(import.meta.filename);

/** What is printed, and the use that leads to it. */
const USES: readonly (readonly [string, Use])[] = [
  ['res.send(status, body): Use res.status(status).send(body) instead', (res) => res.send(200, 'x')],
  ['res.send(body, status): Use res.status(status).send(body) instead', (res) => res.send('x', 200)],
  ['res.send(status): Use res.sendStatus(status) instead', (res) => res.send(200)],
  ['res.json(status, obj): Use res.status(status).json(obj) instead', (res) => res.json(200, {})],
  ['res.jsonp(obj, status): Use res.status(status).jsonp(obj) instead', (res) => res.jsonp({}, 200)],
  ['res.status("201"): use res.status(201) instead', (res) => res.status('201').end()],
  ['res.redirect(url, status): Use res.redirect(status, url) instead', (res) => res.redirect('/x', 301)],
  [
    'res.location("back"): use res.location(req.get("Referrer") || "/") and refer to https://dub.sh/security-redirect for best practices',
    (res) => res.redirect('back'),
  ],
  ['res.vary(): Provide a field name', (res) => res.vary().end()],
  ['res.sendfile: Use res.sendFile instead', (res) => res.sendfile(import.meta.filename)],
  ['req.param(name): Use req.params, req.body, or req.query instead', (res, req) => res.end(req.param('x'))],
  ['req.host: Use req.hostname instead', (res, req) => res.end(String(req.host))],
  ['req.acceptsCharset: Use acceptsCharsets instead', (res, req) => res.end(String(req.acceptsCharset('utf-8')))],
];

const seen: Error[] = [];
const listen = (deprecation: Error): void => void seen.push(deprecation);
let server: Server;

before(async () => {
  process.on('deprecation' as 'warning', listen);
  const app = express4();
  app.use((req, res) => {
    const [, use] = USES[Number(req.url.slice(1))] ?? [];
    use?.(res as unknown as Reply, req as unknown as Asked);
  });
  server = nodeHttp.createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

after(() => {
  process.off('deprecation' as 'warning', listen);
  server.close();
  server.closeAllConnections();
});

for (const [index, [message]] of USES.entries()) {
  test(`points at the caller: ${message}`, async () => {
    seen.length = 0;
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/${index}`, { redirect: 'manual' });
    await reply.arrayBuffer();
    assert.deepEqual(
      seen.map((deprecation) => deprecation.message),
      [message],
    );
    const [, caller] = (seen[0] as Error).stack?.split('\n') ?? [];
    assert.ok(caller?.includes(FILE), `the first frame is ${String(caller)}`);
  });
}

test('a form parser without `extended` points at its maker, once per place', () => {
  seen.length = 0;
  for (let i = 0; i < 2; i++) express4.urlencoded();
  assert.equal(seen.length, 1);
  assert.match(seen[0]?.stack ?? '', new RegExp(`undefined extended: provide extended option\\n.*${FILE}`));
});
