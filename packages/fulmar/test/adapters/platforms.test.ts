/**
 * Cloudflare, Deno, Bun, Netlify, Vercel and Google's functions, called as their platforms call: clients, what
 * the platform gives beside a request, kinds of applications, misuse.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createApp } from '../../src/app/index.ts';
import { bun, platform as bunPlatform } from '../../src/adapters/bun/index.ts';
import { cloudflare, platform as cloudflarePlatform } from '../../src/adapters/cloudflare/index.ts';
import { deno, platform as denoPlatform } from '../../src/adapters/deno/index.ts';
import { gcf, type GcfRequest, platform as gcfPlatform } from '../../src/adapters/gcf/index.ts';
import { netlify, platform as netlifyPlatform } from '../../src/adapters/netlify/index.ts';
import { platform as vercelPlatform, vercel } from '../../src/adapters/vercel/index.ts';
import { applications, type Flavour } from './applications.ts';
import { RECORDED_SQS, RECORDED_V1 } from './events.ts';

const quiet = { logger: { error: () => {} } };
const request = (path = '/', init: RequestInit = {}): Request => new Request(`https://birds.example${path}`, init);
const seeing = () => {
  const app = createApp(quiet);
  app.all('/*', async (c) => [c.method, c.ip, c.request.url, await c.body.text()]);
  return app;
};
const json = async (reply: Response | Promise<Response>): Promise<unknown> => (await reply).json();

type Call = (application: never) => (given: Request) => Promise<Response>;
const calls: Readonly<Record<string, Call>> = {
  cloudflare(application) {
    const made = cloudflare(application);
    return (given) => made.fetch(given);
  },
  deno(application) {
    const made = deno(application);
    return (given) => made(given);
  },
  bun(application) {
    const made = bun(application);
    return (given) => made.fetch(given);
  },
  netlify(application) {
    const made = netlify(application);
    return (given) => made(given);
  },
  vercel(application) {
    const made = vercel(application);
    return (given) => made(given);
  },
};

describe('a platform that calls with a Request', () => {
  for (const [name, call] of Object.entries(calls)) {
    for (const flavour of Object.keys(applications) as Flavour[]) {
      it(`${name}: ${flavour}`, async () => {
        const answer = call(applications[flavour]() as never);
        const teapot = await answer(request('/teapot'));
        assert.deepEqual([teapot.status, teapot.headers.get('x-pot'), await teapot.text()], [418, 'short, stout', '<p>teapot</p>']);
        const cookies = await answer(request('/cookies'));
        assert.equal(cookies.headers.getSetCookie().length, 3);
        const echo = await answer(
          request('/echo', { method: 'POST', body: Uint8Array.of(0, 255), headers: { 'content-type': 'application/x-birds' } }),
        );
        assert.deepEqual(
          [echo.headers.get('content-type'), new Uint8Array(await echo.arrayBuffer())],
          ['application/x-birds', Uint8Array.of(0, 255)],
        );
        assert.equal(await (await answer(request('/stream'))).text(), 'one two thrée');
        const none = await answer(request('/nothing'));
        assert.deepEqual([none.status, none.body], [204, null]);
        const head = await answer(request('/', { method: 'HEAD' }));
        // What a fetch function gives is handed on; platforms leave it out.
        assert.deepEqual([head.status, await head.text()], [200, flavour === 'fetch' ? 'hello' : '']);
      });
    }
    it(`${name}: the start’s hooks run once, before the first reply`, async () => {
      const order: string[] = [];
      const app = createApp().onStart(() => void order.push('start'));
      app.get('/', () => void order.push('request'));
      const answer = call(app as never);
      await answer(request());
      assert.deepEqual(order, ['start', 'request']);
      await Promise.all([answer(request()), answer(request())]);
      assert.deepEqual(order, ['start', 'request', 'request', 'request']);
    });
    it(`${name}: a listener that throws fails the call`, async () => {
      const listener = (_req: unknown, _res: unknown) => {
        throw new Error('of the listener');
      };
      await assert.rejects(call(listener as never)(request()), /of the listener/);
    });
    it(`${name}: refuses what is no application`, () => {
      assert.throws(() => call(undefined as never)(request()), new RegExp(`${name}\\(\\) takes an app, an Express or Koa application`));
    });
    it(`${name}: a client that has left ends the reply’s source`, async () => {
      const app = createApp(quiet);
      let end = (): void => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      app.get('/', async function* () {
        try {
          for (;;) yield new Uint8Array(1024);
        } finally {
          end();
        }
      });
      const { body } = await call(app as never)(request());
      await body?.cancel();
      await ended;
    });
  }
});

describe('cloudflare', () => {
  const ctx = { waitUntil: (promise: Promise<unknown>) => void waited.push(promise) };
  const waited: Promise<unknown>[] = [];
  it('takes the client from the field that Cloudflare sets', async () => {
    const given = request('/a?b=c', { headers: { 'cf-connecting-ip': '2001:db8::1' } });
    assert.deepEqual(await json(cloudflare(seeing()).fetch(given, {}, ctx)), ['GET', '2001:db8::1', 'https://birds.example/a?b=c', '']);
  });
  it('gives env, ctx, cf and waitUntil to a handler', async () => {
    const app = createApp();
    app.get('/', (c) => {
      const { env, cf, waitUntil, ctx: given } = cloudflarePlatform<{ NAME: string }>(c);
      waitUntil(Promise.resolve('later'));
      return [env.NAME, cf?.['country'], given === ctx];
    });
    const given = Object.defineProperty(request(), 'cf', { value: { country: 'IS' } });
    assert.deepEqual(await json(cloudflare(app).fetch(given, { NAME: 'fulmar' }, ctx)), ['fulmar', 'IS', true]);
    assert.equal(await waited[0], 'later');
  });
  it('hands a fetch function its own arguments', async () => {
    const fetch = async (_request: Request, env?: unknown, given?: unknown) => Response.json([env, given === ctx]);
    assert.deepEqual(await json(cloudflare({ fetch } as never).fetch(request(), { A: 1 }, ctx)), [{ A: 1 }, true]);
    assert.deepEqual(await json(cloudflare(fetch as never, { style: 'fetch' }).fetch(request(), { A: 1 }, ctx)), [{ A: 1 }, true]);
  });
  it('is called without env by tests', async () => {
    assert.equal((await cloudflare(seeing()).fetch(request())).status, 200);
  });
  it('names an option that is none', () => {
    assert.throws(() => cloudflare(seeing(), { styles: 'fetch' } as never), /cloudflare\(\) has no option styles; it has style\./);
  });
});

describe('deno', () => {
  it('takes the client from the information of Deno.serve', async () => {
    const info = { remoteAddr: { hostname: '192.0.2.1' } };
    const app = createApp();
    app.get('/', (c) => [c.ip, denoPlatform(c).info === info]);
    assert.deepEqual(await json(deno(app)(request(), info)), ['192.0.2.1', true]);
  });
  it('a reply that did not arrive fires the signal; one that did does not', async () => {
    let fail = (_reason: Error): void => {};
    const completed = new Promise<void>((_, reject) => (fail = reject));
    const app = createApp(quiet);
    const signals: AbortSignal[] = [];
    app.get('/', (c) => {
      signals.push(c.signal);
      return new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
    });
    const reply = await deno(app)(request(), { completed });
    fail(new Error('gone'));
    await assert.rejects(reply.text());
    assert.equal(signals[0]?.aborted, true);
  });
});

describe('bun', () => {
  it('asks the server for the client', async () => {
    const server = { requestIP: () => ({ address: '192.0.2.7' }) };
    const app = createApp();
    app.get('/', (c) => [c.ip, bunPlatform(c).server === server]);
    assert.deepEqual(await json(bun(app).fetch(request(), server)), ['192.0.2.7', true]);
  });
});

describe('netlify', () => {
  it('takes the client from the context, or from the field that Netlify sets', async () => {
    const context = { ip: '192.0.2.8' };
    assert.equal(((await json(netlify(seeing())(request(), context))) as string[])[1], '192.0.2.8');
    const given = request('/', { headers: { 'x-nf-client-connection-ip': '192.0.2.9' } });
    assert.equal(((await json(netlify(seeing())(given))) as string[])[1], '192.0.2.9');
  });
  it('gives the context', async () => {
    const context = { ip: '192.0.2.8' };
    const app = createApp();
    app.get('/', (c) => netlifyPlatform(c).context === context);
    assert.equal(await json(netlify(app)(request(), context)), true);
  });
  it('answers the events of older functions', async () => {
    const event = { ...RECORDED_V1, headers: { 'x-nf-client-connection-ip': '192.0.2.9' }, multiValueHeaders: {} };
    const { statusCode, body, multiValueHeaders } = await netlify(seeing())(event);
    assert.equal(statusCode, 200);
    assert.deepEqual(JSON.parse(body).slice(0, 2), ['GET', '192.0.2.9']);
    assert.deepEqual(multiValueHeaders?.['content-type'], ['application/json; charset=utf-8']);
  });
  it('leaves out what stands before the paths of such an event', async () => {
    const event = { ...RECORDED_V1, path: '/.netlify/functions/api/birds', multiValueQueryStringParameters: {}, queryStringParameters: {} };
    const { body } = await netlify(seeing(), { basePath: '/.netlify/functions/api' })(event);
    assert.equal(new URL(JSON.parse(body)[2] as string).pathname, '/birds');
    assert.throws(() => netlify(seeing(), { basePath: 'api' }), /basePath of netlify\(\) is a path such as/);
  });
  it('believes no source address of such an event', async () => {
    const { body } = await netlify(seeing())(RECORDED_V1);
    assert.equal(JSON.parse(body)[1], '');
  });
  it('refuses other events', async () => {
    await assert.rejects(netlify(seeing())(RECORDED_SQS as never), /netlify\(\) answers requests .* records of aws:sqs/);
  });
});

/** A platform that calls with messages, played by Node's own server. */
async function served(
  listener: (req: IncomingMessage, res: ServerResponse) => unknown,
): Promise<{ url: string; port: number; close: () => Promise<void> }> {
  const server = createServer((req, res) => void listener(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, port, close };
}

const kinds = {
  vercel: (application: never) => vercel(application) as (req: IncomingMessage, res: ServerResponse) => Promise<void>,
  gcf: (application: never) => gcf(application),
};

describe('a platform that calls with messages', () => {
  for (const [name, make] of Object.entries(kinds)) {
    for (const flavour of Object.keys(applications) as Flavour[]) {
      describe(`${name}: ${flavour}`, () => {
        let on: Awaited<ReturnType<typeof served>>;
        before(async () => void (on = await served(make(applications[flavour]() as never))));
        after(() => on.close());
        it('status, fields and content', async () => {
          const reply = await fetch(`${on.url}/teapot`);
          assert.deepEqual([reply.status, reply.headers.get('x-pot'), await reply.text()], [418, 'short, stout', '<p>teapot</p>']);
        });
        it('several cookies', async () => assert.equal((await fetch(`${on.url}/cookies`)).headers.getSetCookie().length, 3));
        it('content of a request', async () => {
          const reply = await fetch(`${on.url}/echo`, { method: 'POST', body: 'x'.repeat(100_000) });
          assert.equal((await reply.text()).length, 100_000);
        });
        it('a streamed reply', async () => assert.equal(await (await fetch(`${on.url}/stream`)).text(), 'one two thrée'));
        it('204 and HEAD', async () => {
          assert.equal((await fetch(`${on.url}/nothing`)).status, 204);
          assert.equal((await fetch(`${on.url}/`, { method: 'HEAD' })).headers.get('content-type'), 'text/plain; charset=utf-8');
        });
      });
    }
  }

  it('vercel: the client is who Vercel says', async () => {
    const on = await served(vercel(seeing()) as never);
    const reply = await fetch(`${on.url}/a`, { headers: { 'x-real-ip': '192.0.2.3', 'x-forwarded-proto': 'https' } });
    const [, ip, url] = (await reply.json()) as string[];
    assert.deepEqual([ip, url?.startsWith('https://')], ['192.0.2.3', true]);
    await on.close();
  });

  it('vercel: one start for both ways of being called', async () => {
    const order: string[] = [];
    const app = createApp().onStart(() => void order.push('start'));
    app.get('/', (c) => [vercelPlatform(c).req !== undefined, vercelPlatform(c).context !== undefined]);
    const handler = vercel(app);
    const on = await served(handler as never);
    assert.deepEqual(await (await fetch(on.url)).json(), [true, false]);
    assert.deepEqual(await json(handler(request())), [false, true]);
    assert.deepEqual(await json(handler.fetch(request())), [false, true]);
    assert.deepEqual(order, ['start']);
    await on.close();
  });

  it('gcf: content that the framework has read, and its own path', async () => {
    const on = await served((req, res) => {
      const read: Uint8Array[] = [];
      req.on('data', (piece: Uint8Array) => read.push(piece));
      req.on('end', () => {
        Object.assign(req, { rawBody: Buffer.concat(read), originalUrl: `/api${req.url}` });
        void gcf(app)(req as GcfRequest, res);
      });
    });
    const app = createApp();
    app.post('/api/birds', async (c) => [await c.body.json(), c.ip, gcfPlatform(c).res !== undefined]);
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '10.0.0.1, 192.0.2.4' };
    const reply = await fetch(`${on.url}/birds`, { method: 'POST', body: '{"a":1}', headers });
    assert.deepEqual(await reply.json(), [{ a: 1 }, '192.0.2.4', true]);
    await on.close();
  });

  it('gcf: a client that leaves fires the signal, and the call ends', { timeout: 5000 }, async () => {
    const app = createApp(quiet);
    const { resolve: tell, promise: told } = deferred();
    app.get('/', (c) => new Promise(() => c.signal.addEventListener('abort', () => tell())));
    const { resolve: end, promise: ended } = deferred();
    const on = await served((req, res) => void gcf(app)(req as GcfRequest, res).then(end));
    const socket = connect(on.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.once('connect', () => setImmediate(() => socket.destroy()));
    await told;
    await ended;
    await on.close();
  });

  it('gcf: fields that the framework has set are replaced, and no reply is waited for that nobody gets', async () => {
    const app = createApp();
    app.get('/', (c) => c.header('X-Powered-By', 'birds').cookie('a', '1').cookie('b', '2').text('ok'));
    const { resolve: end, promise: ended } = deferred();
    const on = await served(async (req, res) => {
      res.setHeader('x-powered-by', 'the framework');
      await gcf(app)(req as GcfRequest, res);
      await gcf(app)(req as GcfRequest, res);
      end();
    });
    const { headers } = await fetch(on.url);
    assert.deepEqual([headers.get('x-powered-by'), headers.getSetCookie().length], ['birds', 2]);
    await on.close();
    await ended;
  });

  it('gcf: a listener that throws fails the call, and the reply is broken off', async () => {
    const listener = (_req: unknown, _res: unknown) => {
      throw new Error('of the listener');
    };
    const { resolve: fail, promise: failed } = deferred<unknown>();
    const on = await served((req, res) => void gcf(listener as never)(req as GcfRequest, res).catch(fail));
    await assert.rejects(fetch(on.url));
    assert.match(String(await failed), /of the listener/);
    await on.close();
  });
});

function deferred<Value = void>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve = (_value: Value): void => {};
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}
