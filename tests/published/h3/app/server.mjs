// h3, what Nuxt and Nitro answer with: its helpers on node:http.
import { createServer } from 'node:http';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(import.meta.dirname ?? process.cwd(), '..', 'package.json'));
const h3 = await import(pathToFileURL(require.resolve('h3')).href);
const app = h3.createApp({ debug: false });
const router = h3.createRouter();

app.use(h3.eventHandler((event) => h3.setResponseHeader(event, 'X-Lighthouse', 'north')));
app.use(
  '/cors',
  h3.eventHandler((event) => h3.handleCors(event, { origin: '*', methods: ['GET'] }) || undefined),
);
router.get(
  '/',
  h3.eventHandler(() => '<h1>Grüße</h1>'),
);
router.get(
  '/json',
  h3.eventHandler((event) => ({ query: h3.getQuery(event), ip: typeof h3.getRequestIP(event), url: h3.getRequestURL(event).pathname })),
);
router.get(
  '/null',
  h3.eventHandler(() => null),
);
router.get(
  '/buffer',
  h3.eventHandler(() => Buffer.from([0, 1, 255])),
);
router.get(
  '/stream',
  h3.eventHandler((event) => h3.sendStream(event, createReadStream(new URL(import.meta.url)))),
);
router.get(
  '/web',
  h3.eventHandler(() => new Response('web', { status: 203, headers: { 'X-Web': '1', 'Set-Cookie': 'w=1' } })),
);
router.get(
  '/webstream',
  h3.eventHandler(
    () =>
      new ReadableStream({
        start(c) {
          c.enqueue(new TextEncoder().encode('one'));
          setTimeout(() => {
            c.enqueue(new TextEncoder().encode('two'));
            c.close();
          }, 20);
        },
      }),
  ),
);
router.get(
  '/error',
  h3.eventHandler(() => {
    throw h3.createError({ statusCode: 418, statusMessage: 'teapot', data: { a: 1 } });
  }),
);
router.get(
  '/crash',
  h3.eventHandler(() => {
    throw new Error('unexpected');
  }),
);
router.get(
  '/redirect',
  h3.eventHandler((event) => h3.sendRedirect(event, '/json', 307)),
);
router.get(
  '/cookies',
  h3.eventHandler((event) => {
    h3.setCookie(event, 'a', '1', { httpOnly: true });
    h3.setCookie(event, 'b', 'ü');
    h3.deleteCookie(event, 'c');
    return h3.parseCookies(event);
  }),
);
router.get(
  '/cached',
  h3.eventHandler((event) => (h3.handleCacheHeaders(event, { etag: '"x"', maxAge: 5 }) ? undefined : 'fresh')),
);
router.get(
  '/hints',
  h3.eventHandler(async (event) => {
    await h3.writeEarlyHints(event, { link: '</a.css>; rel=preload' });
    return 'hinted';
  }),
);
router.get(
  '/events',
  h3.eventHandler((event) => {
    const stream = h3.createEventStream(event);
    void (async () => {
      await stream.push('one');
      await stream.push({ event: 'two', data: 'ü' });
      await stream.close();
    })();
    return stream.send();
  }),
);
router.get(
  '/status',
  h3.eventHandler((event) => {
    h3.setResponseStatus(event, 202, 'Soon');
    return h3.sendNoContent(event);
  }),
);
router.post(
  '/body',
  h3.eventHandler(async (event) => ({ body: await h3.readBody(event) })),
);
router.post(
  '/raw',
  h3.eventHandler(async (event) => ({ length: (await h3.readRawBody(event, false))?.length ?? 0 })),
);
router.post(
  '/multipart',
  h3.eventHandler(async (event) =>
    (await h3.readMultipartFormData(event))?.map(({ name, filename, data }) => [name, filename, data.length]),
  ),
);
router.post(
  '/formdata',
  h3.eventHandler(async (event) => [...(await h3.readFormData(event)).keys()]),
);
router.get(
  '/proxied',
  h3.eventHandler((event) => h3.proxyRequest(event, `http://127.0.0.1:${process.env.PORT}/json?proxied=1`)),
);
router.post(
  '/proxied',
  h3.eventHandler((event) => h3.proxyRequest(event, `http://127.0.0.1:${process.env.PORT}/body`)),
);
router.get(
  '/session',
  h3.eventHandler(async (event) => {
    const session = await h3.useSession(event, { password: 'x'.repeat(40) });
    await session.update({ n: (session.data.n ?? 0) + 1 });
    return session.data;
  }),
);
router.get(
  '/users/:id',
  h3.eventHandler((event) => h3.getRouterParams(event)),
);
app.use(router);
app.use(
  '/express',
  h3.fromNodeMiddleware((req, res) => res.end(`${req.url} ${req.originalUrl}`)),
);

createServer(h3.toNodeListener(app)).listen(Number(process.env.PORT), '127.0.0.1');
