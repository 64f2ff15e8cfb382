/** fetch: whatever a server does, it ends, and as on Node. */
import { cases } from '../harness/cases.ts';
import { REPLIES, answered, fetched } from './fetch-replies.ts';
import type { Reply } from './fetch-replies.ts';

const SILENT: Reply = [''];
const CUT: Reply = ['HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'];
const REDIRECT: Reply = ['HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'];

/** Gives up when `isReady` says so: with the reply, or before it. */
const abandoned = (reply: Reply, reason?: unknown): Promise<unknown> =>
  answered(reply, async (url) => {
    const controller = new AbortController();
    const { signal } = controller;
    if (reply === SILENT) setTimeout(() => controller.abort(reason), 20);
    const response = await fetch(url, { signal }).catch((error: unknown) => ['no reply', (error as Error).name, String(error)]);
    if (!(response instanceof Response)) return response;
    controller.abort(reason);
    return response.text().catch((error: unknown) => ['no content', (error as Error).name, String(error)]);
  });

/** A stream of content that never ends. */
const endless = (): ReadableStream =>
  new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      controller.enqueue(new Uint8Array(10_000));
    },
  });

const broken = (): ReadableStream => new ReadableStream({ pull: (controller) => controller.error(new Error('mine')) });

/** The URL of a blob while `use` runs. */
async function blobUrl<T>(use: (url: string) => T): Promise<Awaited<T>> {
  const url = URL.createObjectURL(new Blob(['blob text'], { type: 'text/plain' }));
  try {
    return await use(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

const ranged = (range: string) => () => blobUrl((url) => fetched(url, { headers: { range } }));

const members = {
  ...Object.fromEntries(Object.entries(REPLIES).map(([name, replies]) => [name, replies.map((reply) => () => answered(reply))])),
  'what came before an error': [
    () =>
      answered(['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\nzz'], async (url) => {
        const reader = ((await fetch(url)).body as ReadableStream<Uint8Array>).getReader();
        const first = await reader.read();
        return [Buffer.from(first.value ?? []).toString(), await reader.read().catch((error: Error) => error.message)];
      }),
  ],
  'a request that is given up': [
    () => answered(SILENT, (url) => fetched(url, { signal: AbortSignal.abort() })),
    () => answered(SILENT, (url) => fetched(url, { signal: AbortSignal.abort(new Error('mine')) })),
    () => answered(SILENT, (url) => fetched(url, { signal: AbortSignal.timeout(20) })),
    () => abandoned(SILENT),
    () => abandoned(CUT),
    () => abandoned(CUT, 'why'),
  ],
  'redirects that are not followed': [
    () => answered(REDIRECT, (url) => fetched(url, { redirect: 'error' })),
    () => answered(REDIRECT, (url) => fetched(url, { redirect: 'manual' })),
  ],
  'content that goes nowhere': [
    () => answered([CUT[0], 'ends'], (url) => fetched(url, { method: 'HEAD' })),
    () => answered(['', 'ends'], (url) => fetched(url, { method: 'POST', body: 'x' })),
    async () => {
      const [when] = (await answered(['', 'resets'], (url) =>
        fetched(url, { method: 'POST', body: endless(), duplex: 'half' } as RequestInit),
      )) as [string];
      return when;
    },
    () => answered(SILENT, (url) => fetched(url, { method: 'POST', body: broken(), duplex: 'half' } as RequestInit)),
  ],
  'a connection that the server closed behind its reply': [
    () =>
      answered(['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', 'ends'], async (url) => [
        await fetched(url),
        await fetched(url, { method: 'POST', body: 'x' }),
        await fetched(url),
      ]),
  ],
  'blobs by their URLs': [
    () => blobUrl((url) => fetched(url)),
    () => blobUrl((url) => fetched(`${url}#fragment`)),
    () => blobUrl((url) => fetched(url, { method: 'POST' })),
    () => blobUrl((url) => url).then((url) => fetched(url)),
    () => fetched('blob:nodedata:none'),
    ranged('bytes=1-3'),
    ranged('bytes=5-'),
    ranged('bytes=-3'),
    ranged('bytes=20-30'),
    ranged('bytes=3-1'),
    ranged('nope'),
  ],
  'URLs that are not fetched': [
    () => fetched('ftp://x/'),
    () => fetched('http://127.0.0.1:22'),
    () => fetched('http://127.0.0.1:0'),
    () => fetched('about:blank'),
    () => fetched('data:nope'),
  ],
};

export default cases('fetch', members, {
  // Versions of undici differ in what they say.
  since: Object.fromEntries(Object.keys(members).map((name) => [name, 26])),
});
