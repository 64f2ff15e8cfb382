/**
 * Cases of the web's globals: URLs, events, abort signals, streams, blobs, fetch's classes, messages, the Web
 * Cryptography API.
 */
import { cases } from '../harness/cases.ts';

type Any = never;

const text = (bytes: ArrayBuffer | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString('hex');
const data = new TextEncoder().encode('some text');

const PARTS = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'] as const;
const partsOf = (url: URL): string[] => PARTS.map((part) => url[part]);

async function readAll<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const chunk of stream) all.push(chunk);
  return all;
}

const signature = async (algorithm: Any, params: Any): Promise<unknown> => {
  const pair = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as unknown as CryptoKeyPair;
  const signed = await crypto.subtle.sign(params, pair.privateKey, data);
  const jwk = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const again = await crypto.subtle.importKey('jwk', jwk, algorithm, true, ['verify']);
  return [signed.byteLength, await crypto.subtle.verify(params, again, signed, data), pair.publicKey.algorithm.name];
};

interface CryptoKeyPair {
  readonly publicKey: Parameters<typeof crypto.subtle.verify>[1];
  readonly privateKey: Parameters<typeof crypto.subtle.sign>[1];
}

const moment = new Date(Date.UTC(2026, 10, 2, 15, 4, 5, 67));
const amounts = [0, -0, 5, -1234.5, 0.1234567, 1.005, 999_999.9996, 1e21, Number.NaN, Number.POSITIVE_INFINITY];
const numberOptions: Intl.NumberFormatOptions[] = [
  {},
  { maximumFractionDigits: 2 },
  { minimumFractionDigits: 2 },
  { useGrouping: false },
  { style: 'percent' },
  { style: 'currency', currency: 'USD' },
  { style: 'currency', currency: 'JPY' },
  { style: 'currency', currency: 'CHF' },
  { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 },
];
const dateOptions: Intl.DateTimeFormatOptions[] = [
  {},
  { year: 'numeric', month: 'long', day: 'numeric' },
  { year: 'numeric', month: 'short', day: '2-digit' },
  { weekday: 'long' },
  { weekday: 'short', year: 'numeric', month: 'numeric', day: 'numeric' },
  { month: 'long', year: 'numeric' },
  { hour: 'numeric', minute: '2-digit' },
  { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false },
  { year: '2-digit', month: '2-digit', day: '2-digit' },
  { dateStyle: 'full' },
  { dateStyle: 'long', timeStyle: 'short' },
  { dateStyle: 'medium', timeStyle: 'medium' },
  { dateStyle: 'short', timeStyle: 'long' },
  { timeStyle: 'short', hour12: false },
  { hour: 'numeric', timeZoneName: 'short' },
];

export default cases(
  'web-globals',
  {
    'globalThis.URL': [
      () => partsOf(new URL('../b?x=1&y=%20#h', 'https://user:pa%20ss@EXAMPLE.com:8080/a/c/d')),
      () => partsOf(new URL('file:///C:/a/../b')),
      () => partsOf(new URL('mailto:someone@example.com?subject=x')),
      () => partsOf(new URL('http://[::1]:80/ü/%7e?ö#ß')),
      () => new URL('https://faß.example/').host,
      () => new URL('nope'),
      () => new URL('/x', 'also nope'),
      () => new (URL as unknown as new () => unknown)(),
      () => String(new URL('http://a.b')) + JSON.stringify({ url: new URL('http://a.b/c') }),
      () => [URL.canParse('http://a'), URL.canParse('a'), URL.canParse('a', 'http://b'), URL.canParse('a', 'b')],
      () => [(URL as unknown as { parse(url: string): URL | null }).parse('http://a')?.href],
      () => {
        const url = new URL('https://a.b/c?d=e#f');
        url.protocol = 'http';
        url.host = 'x.y:99';
        url.username = 'me';
        url.password = 'secret';
        url.pathname = 'p q';
        url.search = 'r=s t';
        url.hash = '';
        return url.href;
      },
      () => {
        const url = new URL('https://a.b/');
        url.port = 'nope';
        url.protocol = 'mailto';
        url.hostname = '';
        return url.href;
      },
      () => {
        const url = new URL('http://a.b/?x=1&y=2');
        const params = url.searchParams;
        params.set('x', 'ä');
        params.delete('y');
        const first = url.href;
        url.search = '?z=3';
        return [first, params.get('z'), params.has('x'), url.searchParams === params];
      },
      () => {
        const url = new URL('http://a.b/');
        url.href = 'nope';
      },
      () => Object.keys(Object.getOwnPropertyDescriptors(URL.prototype)).toSorted(),
    ],
    'globalThis.URLSearchParams': [
      () => [...new URLSearchParams('?a=1&b=2&a=3&c&d=%20+%zz')],
      () => [new URLSearchParams({ a: '1', b: 'x y' }).toString(), new URLSearchParams([['a', 'ä&=']]).toString()],
      () => String(new URLSearchParams(new Map([['k', 'v']]) as Any)),
      () => new URLSearchParams([['only one']] as Any),
      () => new URLSearchParams([null] as Any),
      () => {
        const params = new URLSearchParams('b=2&a=1&b=1');
        params.append('c', '3');
        params.sort();
        params.delete('b', '1');
        return [params.toString(), params.getAll('b'), params.size, params.has('a', '2'), params.get('none')];
      },
      () => {
        const seen: unknown[] = [];
        new URLSearchParams('a=1&b=2').forEach((value, name) => seen.push([name, value]));
        return seen;
      },
      () => [[...new URLSearchParams('a=1').keys()], [...new URLSearchParams('a=1').values()]],
      () => (new URLSearchParams() as unknown as { append(): void }).append(),
      () => Object.prototype.toString.call(new URLSearchParams().entries()),
    ],
    'globalThis.Event': [
      () => {
        const event = new Event('x', { cancelable: true });
        event.preventDefault();
        return [event.type, event.cancelable, event.defaultPrevented, event.bubbles, event.target, event.eventPhase, event.isTrusted];
      },
      () => new (Event as unknown as new () => unknown)(),
      () => Object.entries(Event),
    ],
    'globalThis.CustomEvent': [() => [new CustomEvent('x', { detail: { a: 1 } }).detail, new CustomEvent('x').detail]],
    'globalThis.EventTarget': [
      () => {
        const seen: unknown[] = [];
        const target = new EventTarget();
        const listener = (event: Event): void => void seen.push(['all', event.type, event.currentTarget === target]);
        target.addEventListener('a', listener);
        target.addEventListener('a', listener);
        target.addEventListener('a', { handleEvent: () => void seen.push('object') });
        target.addEventListener('a', () => void seen.push('once'), { once: true });
        target.dispatchEvent(new Event('a'));
        target.removeEventListener('a', listener);
        target.dispatchEvent(new Event('a'));
        return seen;
      },
      () => {
        const seen: string[] = [];
        const target = new EventTarget();
        target.addEventListener('a', (event) => {
          event.stopImmediatePropagation();
          seen.push('first');
        });
        target.addEventListener('a', () => seen.push('second'));
        return [target.dispatchEvent(new Event('a')), seen];
      },
      () => {
        const target = new EventTarget();
        target.addEventListener('a', (event) => event.preventDefault());
        return [target.dispatchEvent(new Event('a', { cancelable: true })), target.dispatchEvent(new Event('a'))];
      },
      () => {
        const controller = new AbortController();
        const target = new EventTarget();
        let count = 0;
        target.addEventListener('a', () => (count += 1), { signal: controller.signal });
        target.dispatchEvent(new Event('a'));
        controller.abort();
        target.dispatchEvent(new Event('a'));
        return count;
      },
      () => new EventTarget().dispatchEvent({} as Any),
      () => (new EventTarget() as unknown as { addEventListener(): void }).addEventListener(),
      () => new EventTarget().addEventListener('a', 5 as Any),
    ],
    'globalThis.AbortController': [
      () => {
        const controller = new AbortController();
        const seen: unknown[] = [];
        controller.signal.onabort = (event: Event) => void seen.push([event.type, event.isTrusted]);
        controller.signal.addEventListener('abort', () => seen.push(controller.signal.aborted));
        controller.abort('why');
        controller.abort('again');
        return [seen, controller.signal.reason];
      },
      () => {
        const controller = new AbortController();
        controller.abort();
        controller.signal.throwIfAborted();
      },
    ],
    'globalThis.AbortSignal': [
      () => new (AbortSignal as unknown as new () => unknown)(),
      () => [AbortSignal.abort().aborted, AbortSignal.abort(5).reason],
      async () => {
        const signal = AbortSignal.timeout(1);
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
          setTimeout(() => {}, 50);
        });
        throw signal.reason;
      },
      () => {
        const [a, b] = [new AbortController(), new AbortController()];
        const any = AbortSignal.any([a.signal, AbortSignal.any([b.signal])]);
        b.abort('b');
        return [any.aborted, any.reason, AbortSignal.any([]).aborted];
      },
      () => AbortSignal.timeout(-1),
    ],
    'globalThis.DOMException': [() => [new DOMException('m', 'AbortError').code, new DOMException().name, DOMException.NOT_FOUND_ERR]],
    'globalThis.Blob': [
      async () => {
        const blob = new Blob(['hello ', new Uint8Array([119, 111]), new Blob(['rld'])], { type: 'Text/PLAIN' });
        return [blob.size, blob.type, await blob.text(), await blob.slice(1, -2).text(), text(await blob.arrayBuffer())];
      },
      async () =>
        (await readAll(new Blob(['a'.repeat(70_000)]).stream() as unknown as AsyncIterable<Uint8Array>)).reduce(
          (sum, part) => sum + part.length,
          0,
        ),
    ],
    'globalThis.File': [
      async () => {
        const file = new File(['x'], 'name.txt', { type: 'text/plain', lastModified: 5 });
        return [file.name, file.lastModified, file.type, await file.text(), file instanceof Blob];
      },
    ],
    'globalThis.ReadableStream': [
      async () => {
        const stream = new ReadableStream<number>({
          start(controller) {
            for (const value of [1, 2, 3]) controller.enqueue(value);
            controller.close();
          },
        });
        return readAll(stream as unknown as AsyncIterable<number>);
      },
      async () => {
        const [a, b] = new Blob(['tee']).stream().tee();
        return (await Promise.all([a, b].map((half) => new Response(half).text()))).join('|');
      },
      async () => {
        const stream = new ReadableStream({ pull: () => Promise.reject(new RangeError('broken')) });
        await stream.getReader().read();
      },
      async () => {
        const stream = new ReadableStream({ type: 'bytes', pull: (controller) => controller.enqueue(new Uint8Array([1, 2, 3])) });
        const { value } = await stream.getReader({ mode: 'byob' }).read(new Uint8Array(2));
        return [...(value as Uint8Array)];
      },
    ],
    'globalThis.WritableStream': [
      async () => {
        const seen: unknown[] = [];
        const writer = new WritableStream({ write: (chunk) => void seen.push(chunk), close: () => void seen.push('closed') }).getWriter();
        await writer.write('a');
        await writer.close();
        return seen;
      },
    ],
    'globalThis.TransformStream': [
      async () => {
        const upper = new TransformStream<string, string>({ transform: (chunk, controller) => controller.enqueue(chunk.toUpperCase()) });
        const writer = upper.writable.getWriter();
        void writer.write('abc').then(() => writer.close());
        return readAll(upper.readable as unknown as AsyncIterable<string>);
      },
    ],
    'globalThis.TextDecoderStream': [
      async () => readAll(new Blob(['grüße']).stream().pipeThrough(new TextDecoderStream() as Any) as unknown as AsyncIterable<string>),
    ],
    'globalThis.TextEncoderStream': [
      async () => {
        const stream = new TextEncoderStream();
        const writer = stream.writable.getWriter();
        void writer.write('ü').then(() => writer.close());
        return (await readAll(stream.readable as unknown as AsyncIterable<Uint8Array>)).map((part) => [...part]);
      },
    ],
    'globalThis.CompressionStream': [
      async () => {
        const packed = new Blob(['squeeze me']).stream().pipeThrough(new CompressionStream('gzip') as Any);
        return new Response((packed as ReadableStream).pipeThrough(new DecompressionStream('gzip') as Any)).text();
      },
    ],
    'globalThis.Headers': [
      () => {
        const headers = new Headers({ B: '1', a: ' 2 ' });
        headers.append('b', '3');
        headers.append('Set-Cookie', 'x=1');
        headers.append('set-cookie', 'y=2');
        return [[...headers], headers.get('B'), headers.getSetCookie(), headers.has('none')];
      },
      () => new Headers({ 'bad name': 'x' }),
      () => new Headers({ a: 'bad\nvalue' }),
    ],
    'globalThis.Request': [
      async () => {
        const request = new Request('http://a.b/c', { method: 'post', body: 'text', headers: { x: 'y' } });
        return [request.method, request.url, request.headers.get('content-type'), await request.text(), request.bodyUsed];
      },
      () => {
        const init = { method: 'GET', body: 'no' };
        return new Request('http://a.b', init);
      },
      () => new Request('nope'),
    ],
    'globalThis.Response': [
      async () => {
        const response = new Response('{"a":1}', { status: 201, statusText: 'Made', headers: { 'content-type': 'application/json' } });
        const copy = response.clone();
        return [response.status, response.statusText, response.ok, await response.json(), await copy.text()];
      },
      async () => [
        await Response.json({ b: 2 }).text(),
        Response.redirect('http://a.b/', 301).headers.get('location'),
        Response.error().type,
      ],
      () => new Response('x', { status: 99 }),
      async () => {
        const response = new Response('once');
        await response.text();
        await response.text();
      },
    ],
    'globalThis.FormData': [
      async () => {
        const form = new FormData();
        form.append('a', '1');
        form.append('a', '2');
        form.set('file', new File(['content'], 'f.txt', { type: 'text/plain' }));
        const again = await new Response(form).formData();
        return [again.getAll('a'), (again.get('file') as File).name, await (again.get('file') as File).text(), [...again.keys()]];
      },
    ],
    'globalThis.fetch': [
      async () => fetch('nope'),
      async () => fetch('http://a.b', { signal: AbortSignal.abort() }),
      async () => (await fetch('data:text/plain;base64,aGVsbG8=')).text(),
      async () => {
        const http = await import('node:http');
        const server = http.createServer((request, response) => {
          if (request.url === '/to') return void response.writeHead(302, { location: '/echo' }).end();
          response.setHeader('content-type', 'text/plain');
          request.pipe(response);
          return undefined;
        });
        await new Promise<void>((resolve) => {
          server.listen(0, resolve);
        });
        const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
        try {
          const posted = await fetch(`${base}/echo`, { method: 'POST', body: 'a body' });
          const followed = await fetch(`${base}/to`);
          return [
            posted.status,
            await posted.text(),
            posted.headers.get('content-type'),
            followed.redirected,
            followed.status,
            await followed.text(),
          ];
        } finally {
          server.closeAllConnections();
          server.close();
        }
      },
    ],
    'globalThis.WebSocket': [() => new WebSocket('ftp://nope'), () => [WebSocket.CONNECTING, WebSocket.OPEN, WebSocket.CLOSED]],
    'globalThis.structuredClone': [
      () => structuredClone({ a: [1, new Date(5), new Map([[1, new Set([2])]])] }),
      () => structuredClone(() => {}),
    ],
    'globalThis.MessageChannel': [
      async () => {
        const { port1, port2 } = new MessageChannel();
        const received = new Promise((resolve) => {
          port2.onmessage = (event: { data: unknown }) => resolve(event.data);
        });
        port1.postMessage({ hello: [1, 2] });
        const value = await received;
        port1.close();
        return value;
      },
    ],
    'globalThis.BroadcastChannel': [
      async () => {
        const [a, b] = [new BroadcastChannel('x'), new BroadcastChannel('x')];
        const received = new Promise((resolve) => {
          b.onmessage = (event) => resolve((event as unknown as { data: unknown }).data);
        });
        a.postMessage('hi');
        const alive = setInterval(() => {}, 1000);
        const value = await received;
        clearInterval(alive);
        a.close();
        b.close();
        return [value, a.name];
      },
    ],
    'globalThis.Intl': [() => Object.getOwnPropertyNames(Intl).includes('Collator')],
    'Intl.DateTimeFormat': [
      () => dateOptions.map((options) => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(moment)),
      () => ['Asia/Kolkata', 'America/New_York', 'Europe/Berlin'].map((timeZone) => moment.toLocaleString('en-US', { timeZone })),
      () => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' }).formatToParts(moment),
      () => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).resolvedOptions(),
      () => new Intl.DateTimeFormat('en-US', { timeZone: 'Nowhere/Else' }),
      () => new Intl.DateTimeFormat('en-US').format(new Date(Number.NaN)),
      () => Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).format(moment),
      () => Intl.DateTimeFormat('en-US') instanceof Intl.DateTimeFormat,
    ],
    'Intl.ListFormat': [
      ...(['conjunction', 'disjunction', 'unit'] as const).flatMap((type) =>
        (['long', 'short', 'narrow'] as const).map(
          (style) => () => ['', 'a', 'ab', 'abc', 'abcd'].map((list) => new Intl.ListFormat('en', { type, style }).format([...list])),
        ),
      ),
      () => new Intl.ListFormat('en-US').formatToParts(['a', 'b', 'c']),
      () => [new Intl.ListFormat('en-US').resolvedOptions(), String(new Intl.ListFormat())],
      () => new Intl.ListFormat('en', { type: 'other' as never }),
      () => new Intl.ListFormat('en').format([1 as never]),
    ],
    'Intl.NumberFormat': [
      () => numberOptions.map((options) => amounts.map((amount) => new Intl.NumberFormat('en-US', options).format(amount))),
      () => new Intl.NumberFormat('en-US', { style: 'currency' }),
      () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 101 }),
    ],
    'Date#toLocaleString': [
      () => dateOptions.map((options) => moment.toLocaleString('en-US', { timeZone: 'UTC', ...options })),
      () => new Date(Number.NaN).toLocaleString(),
    ],
    'Date#toLocaleDateString': [
      () => dateOptions.slice(0, 9).map((options) => moment.toLocaleDateString('en-US', { timeZone: 'UTC', ...options })),
    ],
    'Date#toLocaleTimeString': [
      () => dateOptions.slice(0, 9).map((options) => moment.toLocaleTimeString('en-US', { timeZone: 'UTC', ...options })),
    ],
    'Number#toLocaleString': [
      () => amounts.map((amount) => amount.toLocaleString('en-US')),
      () => 12_345_678_901_234_567_890n.toLocaleString('en-US'),
    ],
    'globalThis.TextEncoder': [() => [...new TextEncoder().encode('ä€\ud800')]],
    'globalThis.TextDecoder': [() => new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa4, 0xff]))],
    'globalThis.crypto': [
      () => [crypto.getRandomValues(new Uint16Array(4)).length, crypto.randomUUID().length, String(crypto), String(crypto.subtle)],
      () => crypto.getRandomValues('a' as Any),
    ],
    'crypto.subtle.digest': [
      async () => Promise.all(['SHA-1', 'sha-256', 'SHA-384', 'SHA-512'].map(async (name) => text(await crypto.subtle.digest(name, data)))),
      async () => crypto.subtle.digest('MD5', data),
    ],
    'crypto.subtle.sign': [
      async () => {
        const key = await crypto.subtle.importKey('raw', data, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);
        const signed = await crypto.subtle.sign('HMAC', key, data);
        return [text(signed), await crypto.subtle.verify('HMAC', key, signed, data), key.usages, key.type, key.extractable];
      },
      async () => signature({ name: 'ECDSA', namedCurve: 'P-256' } as Any, { name: 'ECDSA', hash: 'SHA-256' } as Any),
      async () => signature('Ed25519' as Any, 'Ed25519' as Any),
      async () =>
        signature(
          { name: 'RSA-PSS', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' } as Any,
          { name: 'RSA-PSS', saltLength: 32 } as Any,
        ),
    ],
    'crypto.subtle.encrypt': [
      async () => {
        const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', false, ['encrypt', 'decrypt']);
        const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12), additionalData: data };
        const hidden = await crypto.subtle.encrypt(algorithm, key, data);
        return [text(hidden), text(await crypto.subtle.decrypt(algorithm, key, hidden))];
      },
      async () => {
        const key = await crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-CBC', false, ['encrypt']);
        return text(await crypto.subtle.encrypt({ name: 'AES-CBC', iv: new Uint8Array(16) }, key, data));
      },
    ],
    'crypto.subtle.deriveBits': [
      async () => {
        const key = await crypto.subtle.importKey('raw', data, 'PBKDF2', false, ['deriveBits']);
        return text(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: data, iterations: 500 }, key, 256));
      },
      async () => {
        const key = await crypto.subtle.importKey('raw', data, 'HKDF', false, ['deriveBits']);
        return text(await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-512', salt: data, info: data }, key, 128));
      },
    ],
    'crypto.subtle.importKey': [
      async () => crypto.subtle.importKey('raw', new Uint8Array(5), 'AES-GCM', true, ['encrypt']),
      async () => crypto.subtle.importKey('raw', new Uint8Array(16), 'nope', true, ['sign']),
    ],
    'messages of wrong arguments': [
      () => AbortSignal.any([5 as Any]),
      () => new Blob('nope' as Any),
      () => new CompressionStream('nope' as Any),
      async () => crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-GCM', true, ['sign']),
      async () => {
        const key = await crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-CBC', false, ['encrypt']);
        return crypto.subtle.decrypt({ name: 'AES-CBC', iv: new Uint8Array(16) }, key, data);
      },
    ],
    'crypto.subtle.wrapKey': [
      async () => {
        const outer = await crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-KW', false, ['wrapKey', 'unwrapKey']);
        const inner = await crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', true, ['encrypt']);
        const wrapped = await crypto.subtle.wrapKey('raw', inner, outer, 'AES-KW');
        const again = await crypto.subtle.unwrapKey('raw', wrapped, outer, 'AES-KW', 'AES-GCM', true, ['encrypt']);
        return [text(wrapped), text(await crypto.subtle.exportKey('raw', again))];
      },
    ],
  },
  {
    differs: { 'globalThis.Intl': '`DateTimeFormat`, `ListFormat` and `NumberFormat` only, in American English whatever the locale' },
    since: { 'Intl.DateTimeFormat': 24, 'globalThis.WebSocket': 24, 'messages of wrong arguments': 26 },
  },
);
