import got, { HTTPError, RequestError, TimeoutError } from 'got';
import { serve } from './serve.js';
const http = process.env['TEST_ORIGIN'] ?? '';
const https = process.env['TEST_TLS_ORIGIN'] ?? '';
const ca = process.env['TEST_CA'];
/** Without ports, and without which of Node's own options may help. */
const message = (error) => error.message.replaceAll(/127\.0\.0\.1:\d+|localhost:\d+/g, 'origin').replace(/; if the root CA .*/, '');
async function tried(work) {
  try {
    return await work();
  } catch (error) {
    const { name, code, response } = error;
    const kinds = [HTTPError, TimeoutError, RequestError].map((Class) => error instanceof Class);
    return { name, code, message: message(error), status: response?.statusCode, kinds };
  }
}
const all = (paths) => (app) => {
  for (const [path, work] of Object.entries(paths)) app.get(path, async (_req, res) => void res.json(await tried(work)));
};
serve(
  all({
    '/json': () => got(`${http}/echo?a=1`, { searchParams: { b: 'ü', c: 2 }, headers: { 'x-one': 'two' } }).json(),
    '/post': () => got.post(`${http}/echo`, { json: { a: [1, 'ü'] } }).json(),
    '/form': () => got.put(`${http}/echo`, { form: { a: 'b c', d: 'ü' } }).json(),
    '/bytes': async () => (await got(`${http}/bytes`).buffer()).length,
    '/redirect': async () => {
      const { body, url, redirectUrls } = await got(`${http}/redirect/3`);
      return [body, new URL(url).pathname, redirectUrls.map(({ pathname }) => pathname)];
    },
    '/endless': () => got(`${http}/endless`, { maxRedirects: 3 }).text(),
    '/status': () => got(`${http}/status/404`).text(),
    '/ignored': async () => (await got(`${http}/status/500`, { throwHttpErrors: false, retry: { limit: 0 } })).statusCode,
    '/retry': async () => {
      const { body, retryCount } = await got(`${http}/flaky?key=${process.pid}`, {
        retry: { limit: 3, calculateDelay: ({ computedValue }) => (computedValue === 0 ? 0 : 5) },
      });
      return [body, retryCount];
    },
    '/timeout': () => got(`${http}/slow`, { timeout: { response: 100 }, retry: { limit: 0 } }).text(),
    '/compressed': async () =>
      Promise.all(
        ['gzip', 'deflate', 'br'].map((name) =>
          got(`${http}/compressed/${name}`)
            .text()
            .then((text) => text.length),
        ),
      ),
    '/cut': () => got(`${http}/cut`, { retry: { limit: 0 } }).text(),
    '/parse': () => got(`${http}/bytes`).json(),
    '/nobody': () => got('http://127.0.0.1:1/', { retry: { limit: 0 } }).text(),
    '/stream': async () => {
      const events = [];
      const stream = got.stream(`${http}/bytes`);
      stream.on('response', ({ statusCode }) => events.push(statusCode));
      stream.on('downloadProgress', ({ percent }) => percent === 1 && events.push('all'));
      let length = 0;
      for await (const part of stream) length += part.length;
      return [events[0], events.at(-1), length];
    },
    '/upload': async () => {
      const stream = got.stream.post(`${http}/echo`);
      stream.end('some text');
      let text = '';
      for await (const part of stream) text += part;
      return JSON.parse(text);
    },
    '/hooks': async () => {
      const seen = [];
      const own = got.extend({
        prefixUrl: http,
        hooks: {
          beforeRequest: [({ method }) => void seen.push(method)],
          afterResponse: [(response) => (seen.push(response.statusCode), response)],
          beforeError: [(error) => (seen.push(error.name), error)],
        },
      });
      await own('echo');
      await tried(() => own('status/400'));
      return seen;
    },
    '/paginate': async () => {
      const items = [];
      const pagination = {
        transform: ({ body }) => JSON.parse(body).items,
        paginate: ({ response }) => (JSON.parse(response.body).next ? { url: new URL(JSON.parse(response.body).next, http) } : false),
      };
      for await (const item of got.paginate(`${http}/page/1`, { pagination })) items.push(item);
      return items;
    },
    '/cancel': () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      return got(`${http}/slow`, { signal: controller.signal }).text();
    },
    '/tls': () => got(`${https}/echo`, { https: { certificateAuthority: ca } }).json(),
    '/untrusted': () => got(`${https}/echo`, { retry: { limit: 0 } }).text(),
    '/anybody': () => got(`${https}/echo`, { https: { rejectUnauthorized: false } }).json(),
    '/misnamed': () =>
      got(`${https.replace('localhost', '127.0.0.2')}/echo`, { https: { certificateAuthority: ca }, retry: { limit: 0 } }).text(),
  }),
);
