/**
 * Forms: fields and files, in memory and part by part; limits, hostile content, clients that leave.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { type App, createApp, type FilePart, type FormOptions } from '../../src/app/index.ts';
import { bodyLimit } from '../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from './case.ts';
import { serverOf } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'fulmar-forms-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const BOUNDARY = '----bird';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (head: string, value = '') => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
const field = (name: string, value: string) => part(`name="${name}"`, value);
const file = (name: string, filename: string, value: string, type = 'text/plain') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n${value}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

async function shownFile(one: File | string): Promise<unknown> {
  return typeof one === 'string' ? one : { filename: one.name, type: one.type, text: await one.text() };
}

const withForms =
  (options?: FormOptions) =>
  (app: App): void => {
    app.post('/form', async (c) => {
      const shown: unknown[] = [];
      for (const [name, value] of await c.body.form(options)) shown.push([name, await shownFile(value)]);
      return shown;
    });
    app.post('/parts', async (c) => {
      const shown: unknown[] = [];
      for await (const one of c.body.multipart(options)) {
        if (one.kind === 'field') shown.push([one.name, one.value]);
        else shown.push([one.name, { filename: one.filename, type: one.type, text: await one.text() }]);
      }
      return shown;
    });
    app.post('/unread', async (c) => {
      const names: string[] = [];
      for await (const one of c.body.multipart(options)) names.push(one.name);
      return names;
    });
    app.post('/first', async (c) => {
      for await (const one of c.body.multipart(options)) return one.name;
      return 'none';
    });
  };

interface Wanted {
  readonly path?: string;
  readonly type?: string;
  readonly options?: FormOptions;
  readonly app?: AppCase['options'];
}

const one = (
  name: string,
  body: string | Uint8Array,
  expect: AppCase['expect'],
  { path = '/form', type = TYPE, options, app }: Wanted = {},
): AppCase => ({
  name,
  ...(app === undefined ? {} : { options: app }),
  app: withForms(options),
  ask: { url: path, headers: { 'Content-Type': type }, body },
  expect,
});

/** In memory and part by part. */
const both = (name: string, body: string | Uint8Array, expect: AppCase['expect'], wanted: Wanted = {}): AppCase[] =>
  ['/form', '/parts'].map((path) => one(`${name} (${path.slice(1)})`, body, expect, { ...wanted, path }));

const TEXT_FILE = { filename: 'a.txt', type: 'text/plain', text: 'hello' };
const URLENCODED = { type: 'application/x-www-form-urlencoded' };

defineCases('forms of pairs', [
  one(
    'fields in their order',
    'b=1&a=2&b=3',
    {
      json: [
        ['b', '1'],
        ['a', '2'],
        ['b', '3'],
      ],
    },
    URLENCODED,
  ),
  one('letters, spaces and signs', 'n=%C3%A4+%26%3D', { json: [['n', 'ä &=']] }, URLENCODED),
  one('with a charset', 'a=1', { json: [['a', '1']] }, { type: 'application/x-www-form-urlencoded; charset=utf-8' }),
  one(
    'names of prototypes',
    '__proto__=1&constructor=2',
    {
      json: [
        ['__proto__', '1'],
        ['constructor', '2'],
      ],
    },
    URLENCODED,
  ),
  one('nothing', '', { json: [] }, URLENCODED),
  one(
    'as many as are allowed',
    'a=1&b=2',
    {
      json: [
        ['a', '1'],
        ['b', '2'],
      ],
    },
    { ...URLENCODED, options: { limits: { fields: 2 } } },
  ),
  one(
    'more than are allowed',
    'a=1&b=2&c=3',
    { status: 413, json: { title: 'Content Too Large', status: 413, detail: 'The form has too many fields: 2 at most.', fields: 2 } },
    { ...URLENCODED, options: { limits: { fields: 2 } } },
  ),
  one('more than 1000', 'a&'.repeat(1000), { status: 413 }, URLENCODED),
  one('longer than the app lets in', 'a='.padEnd(20, 'a'), { status: 413 }, { ...URLENCODED, app: { bodyLimit: 10 } }),
  one('bytes that are no UTF-8', new Uint8Array([0x61, 0x3d, 0xff]), { status: 400 }, URLENCODED),
  one('of another type', 'a=1', { status: 415, text: /A form is expected, and the content is said to be text\/csv/ }, { type: 'text/csv' }),
  one(
    'pairs that are asked for as parts',
    'a=1',
    { status: 415, text: /multipart\/form-data is expected/ },
    { ...URLENCODED, path: '/parts' },
  ),
]);

defineCases('forms of parts', [
  ...both('what browsers escape in names', field('a%22b%0D%0A%', '1') + file('f', 'a%22b%20.txt', 'hello') + END, {
    json: [
      ['a"b\r\n%', '1'],
      ['f', { ...TEXT_FILE, filename: 'a"b%20.txt' }],
    ],
  }),
  ...both('a field', field('a', '1') + END, { json: [['a', '1']] }),
  ...both('fields of one name', field('a', '1') + field('a', '2') + END, {
    json: [
      ['a', '1'],
      ['a', '2'],
    ],
  }),
  ...both('a file', file('f', 'a.txt', 'hello') + END, { json: [['f', TEXT_FILE]] }),
  ...both('a file between fields', field('a', '1') + file('f', 'a.txt', 'hello') + field('b', '2') + END, {
    json: [
      ['a', '1'],
      ['f', TEXT_FILE],
      ['b', '2'],
    ],
  }),
  ...both('several files of one name', file('f', 'a.txt', 'hello') + file('f', 'b.txt', '') + END, {
    json: [
      ['f', TEXT_FILE],
      ['f', { ...TEXT_FILE, filename: 'b.txt', text: '' }],
    ],
  }),
  ...both('no file where one could be', file('f', '', '', 'application/octet-stream') + END, {
    json: [['f', { filename: '', type: 'application/octet-stream', text: '' }]],
  }),
  ...both('no parts', END, { json: [] }),
  ...both('text before and behind the parts', `preamble\r\n${field('a', '1')}${END}epilogue`, { json: [['a', '1']] }),
  ...both('line ends within', field('a', 'x\r\ny\nz') + END, { json: [['a', 'x\r\ny\nz']] }),
  ...both('what nearly is a boundary', field('a', `\r\n--${BOUNDARY.slice(0, -1)}\r\n--`) + END, {
    json: [['a', `\r\n--${BOUNDARY.slice(0, -1)}\r\n--`]],
  }),
  ...both('a quoted boundary', field('a', '1') + END, { json: [['a', '1']] }, { type: `multipart/form-data; boundary="${BOUNDARY}"` }),
  ...both('a type in upper case', field('a', '1') + END, { json: [['a', '1']] }, { type: `Multipart/Form-Data; Boundary=${BOUNDARY}` }),
  ...both('letters of any script', field('ä', '鷗') + file('f', '鷗 ä.txt', 'hello') + END, {
    json: [
      ['ä', '鷗'],
      ['f', { ...TEXT_FILE, filename: '鷗 ä.txt' }],
    ],
  }),
  ...both(
    'names of Latin letters',
    Buffer.from(file('f', 'ä.txt', 'hello') + END, 'latin1'),
    { json: [['f', { ...TEXT_FILE, filename: 'ä.txt' }]] },
    { options: { names: 'latin1' } },
  ),
  ...both('a name in the extended form', part('name="f"; filename="x.txt"; filename*=UTF-8\'\'%E9%B7%97.txt', 'hello') + END, {
    json: [['f', { ...TEXT_FILE, filename: '鷗.txt' }]],
  }),
  ...both('a name with quotes', part('name="f"; filename="a \\"b\\".txt"', 'hello') + END, {
    json: [['f', { ...TEXT_FILE, filename: 'a "b".txt' }]],
  }),
  ...both(
    'a field of Latin letters',
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n`),
      Buffer.from([0xe4]),
      Buffer.from(`\r\n${END}`),
    ]),
    { json: [['a', 'ä']] },
  ),
  one(
    'files that nobody reads',
    field('a', '1') + file('f', 'a.txt', 'x'.repeat(300_000)) + field('b', '2') + END,
    { json: ['a', 'f', 'b'] },
    { path: '/unread' },
  ),
  one('a part is enough', field('a', '1') + file('f', 'a.txt', 'x'.repeat(300_000)) + END, { text: 'a' }, { path: '/first' }),
  one('a file is enough', file('f', 'a.txt', 'x'.repeat(300_000)) + END, { text: 'f' }, { path: '/first' }),
  one(
    'a long file, part by part, is not held by the app’s limit',
    file('f', 'a.txt', 'x'.repeat(3000)) + END,
    { json: [['f', { ...TEXT_FILE, text: 'x'.repeat(3000) }]] },
    { path: '/parts', app: { bodyLimit: 10 } },
  ),
  one('a long file in memory is', file('f', 'a.txt', 'x'.repeat(3000)) + END, { status: 413 }, { app: { bodyLimit: 1000 } }),
]);

const hostileNames: readonly (readonly [given: string, kept: string])[] = [
  ['../../etc/passwd', 'passwd'],
  ['/etc/passwd', 'passwd'],
  ['..\\\\..\\\\windows\\\\system.ini', 'system.ini'],
  ['C:\\\\a.txt', 'a.txt'],
  ['..', ''],
  ['.', ''],
  ['a/', ''],
  ['.htaccess', '.htaccess'],
];

defineCases('hostile forms', [
  ...hostileNames.flatMap(([given, kept]) =>
    both(`a file named ${JSON.stringify(given)}`, file('f', given, 'hello') + END, { json: [['f', { ...TEXT_FILE, filename: kept }]] }),
  ),
  ...both('a file named with controls', part('name="f"; filename*=UTF-8\'\'a%00b%0D%0A.txt', 'hello') + END, {
    json: [['f', { ...TEXT_FILE, filename: 'ab.txt' }]],
  }),
  ...both('controls in a head', file('f', 'a\u0001.txt', 'hello') + END, { status: 400, text: /Malformed part header/ }),
  ...both('a field named __proto__', field('__proto__', '1') + field('constructor', '2') + field('a[b]', '3') + END, {
    json: [
      ['__proto__', '1'],
      ['constructor', '2'],
      ['a[b]', '3'],
    ],
  }),
  ...both('no boundary', field('a', '1') + END, { status: 400, text: /boundary of 1 to 70 characters/ }, { type: 'multipart/form-data' }),
  ...both('an empty boundary', field('a', '1') + END, { status: 400 }, { type: 'multipart/form-data; boundary=' }),
  ...both('a boundary too long', field('a', '1') + END, { status: 400 }, { type: `multipart/form-data; boundary=${'a'.repeat(71)}` }),
  ...both(
    'another boundary',
    field('a', '1') + END,
    { status: 400, text: /Unexpected end of form/ },
    { type: 'multipart/form-data; boundary=x' },
  ),
  ...both('no end', field('a', '1'), { status: 400, text: /Unexpected end of form/ }),
  ...both('no end of a file', file('f', 'a.txt', 'hello').slice(0, -2), { status: 400, text: /Unexpected end/ }),
  ...both('a part without an end of its head', `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n`, { status: 400 }),
  ...both('a head that is none', `--${BOUNDARY}\r\n: x\r\n\r\n1\r\n${END}`, { status: 400, text: /Malformed part header/ }),
  ...both('a head too long', part(`name="a"; x="${'y'.repeat(20_000)}"`) + END, { status: 400, text: /Malformed part header/ }),
  ...both('a part without a name', part('x=y', '1') + END, { status: 400, text: /has no name/ }),
  ...both('a part that is none of a form is left out', `--${BOUNDARY}\r\nContent-Type: text/plain\r\n\r\nx\r\n${field('a', '1')}${END}`, {
    json: [['a', '1']],
  }),
  ...both('nothing at all', ' ', { status: 400 }),
  ...both('another kind of parts', field('a', '1') + END, { status: 415 }, { type: `multipart/mixed; boundary=${BOUNDARY}` }),
]);

const limited = (name: string, body: string, limits: FormOptions['limits'], expect: AppCase['expect']): AppCase[] =>
  both(name, body, expect, { options: { limits: limits as NonNullable<typeof limits> } });
const tooMuch = (member: string, limit: number, text: RegExp): AppCase['expect'] => ({
  status: 413,
  text: new RegExp(`${text.source}.*"${member}":${limit}`),
});

defineCases('limits of forms', [
  ...limited('fields', field('a', '1') + field('b', '2') + END, { fields: 1 }, tooMuch('fields', 1, /too many fields/)),
  ...limited('as many fields', field('a', '1') + field('b', '2') + END, { fields: 2 }, { status: 200 }),
  ...limited('files', file('f', 'a', '') + file('g', 'b', '') + END, { files: 1 }, tooMuch('files', 1, /too many files/)),
  ...limited('as many files', file('f', 'a', '') + file('g', 'b', '') + END, { files: 2 }, { status: 200 }),
  ...limited('no files', file('f', 'a', '') + END, { files: 0 }, tooMuch('files', 0, /too many files/)),
  ...limited('parts', field('a', '1') + file('f', 'a', '') + END, { parts: 1 }, tooMuch('parts', 1, /too many parts/)),
  ...limited('as many parts', field('a', '1') + file('f', 'a', '') + END, { parts: 2 }, { status: 200 }),
  ...limited('a name', field('abcd', '1') + END, { fieldNameSize: 3 }, tooMuch('fieldNameSize', 3, /name of the form is too long/)),
  ...limited('a name in bytes', field('ää', '1') + END, { fieldNameSize: 3 }, { status: 413 }),
  ...limited('a name as long', field('abc', '1') + END, { fieldNameSize: 3 }, { status: 200 }),
  ...limited('a field', field('a', '1234') + END, { fieldSize: 3 }, tooMuch('fieldSize', 3, /too long/)),
  ...limited('a field as long', field('a', '123') + END, { fieldSize: 3 }, { json: [['a', '123']] }),
  ...limited('a file', file('f', 'a.txt', 'hello!') + END, { fileSize: 5 }, tooMuch('fileSize', 5, /too long/)),
  ...limited('a file as long', file('f', 'a.txt', 'hello') + END, { fileSize: 5 }, { json: [['f', TEXT_FILE]] }),
  one(
    'a file that nobody reads',
    file('f', 'a.txt', 'x'.repeat(200_000)) + END,
    { status: 413 },
    { path: '/unread', options: { limits: { fileSize: 5 } } },
  ),
  one('a wrong limit is the application’s', END, { status: 500 }, { options: { limits: { fileSize: -1 } } }),
  one('a limit that is none, too', END, { status: 500 }, { options: { limits: { filesize: 1 } as never } }),
]);

describe('files of forms', () => {
  const opened = (t: TestContext, define: (app: App) => void): App => {
    const app = createApp({ logger: { error: () => {} } });
    t.after(() => app.close());
    define(app);
    return app;
  };
  const post = (app: App, body: string, url = '/') => app.inject({ method: 'POST', url, headers: { 'Content-Type': TYPE }, body });
  const firstFile = async (parts: AsyncIterable<unknown>, use: (one: FilePart) => Promise<unknown>): Promise<unknown> => {
    for await (const one of parts as AsyncIterable<FilePart>) return await use(one);
    return undefined;
  };

  it('are saved', async (t) => {
    const path = join(folder, 'saved.txt');
    const app = opened(t, (a) => a.post('/', (c) => firstFile(c.body.multipart(), (one) => one.saveTo(path))));
    assert.deepEqual((await post(app, file('f', 'a.txt', 'hello') + END)).json(), { path, size: 5 });
    assert.equal(readFileSync(path, 'utf8'), 'hello');
  });

  it('replace no file unasked, and leave it as it is', async (t) => {
    const path = join(folder, 'there.txt');
    writeFileSync(path, 'mine');
    const app = opened(t, (a) => {
      a.post('/', (c) => firstFile(c.body.multipart(), (one) => one.saveTo(path)));
      a.post('/over', (c) => firstFile(c.body.multipart(), (one) => one.saveTo(path, { overwrite: true })));
    });
    assert.equal((await post(app, file('f', 'a.txt', 'hello') + END)).status, 500);
    assert.equal(readFileSync(path, 'utf8'), 'mine');
    assert.equal((await post(app, file('f', 'a.txt', 'hello') + END, '/over')).status, 200);
    assert.equal(readFileSync(path, 'utf8'), 'hello');
  });

  it('are deleted where they are too long', async (t) => {
    const path = join(folder, 'long.txt');
    const app = opened(t, (a) => a.post('/', (c) => firstFile(c.body.multipart({ limits: { fileSize: 10 } }), (one) => one.saveTo(path))));
    assert.equal((await post(app, file('f', 'a.txt', 'x'.repeat(100_000)) + END)).status, 413);
    assert.ok(!existsSync(path));
  });

  it('are deleted where the route’s content is too long', async (t) => {
    const path = join(folder, 'limited.txt');
    const app = opened(t, (a) => a.post('/', bodyLimit(50_000), (c) => firstFile(c.body.multipart(), (one) => one.saveTo(path))));
    const reply = await app.fetch(
      new Request('http://localhost/', {
        method: 'POST',
        headers: { 'Content-Type': TYPE },
        body: file('f', 'a.txt', 'x'.repeat(100_000)) + END,
      }),
    );
    assert.equal(reply.status, 413);
    assert.ok(!existsSync(path));
  });

  it('are deleted when the client leaves', { timeout: 20_000 }, async (t) => {
    const path = join(folder, 'left.txt');
    let failed: (error: unknown) => void = () => {};
    const failure = new Promise((resolve) => (failed = resolve));
    const app = opened(t, (a) => {
      a.post('/', async (c) => {
        try {
          return await firstFile(c.body.multipart(), (one) => one.saveTo(path));
        } catch (error) {
          failed(error);
          throw error;
        }
      });
    });
    const { port } = (await serverOf(app)).address() as AddressInfo;
    const socket = createConnection(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${TYPE}\r\nContent-Length: 1000000\r\n\r\n${file('f', 'a.txt', 'x'.repeat(100_000)).slice(0, -2)}`,
    );
    while (!existsSync(path) || readFileSync(path).byteLength < 50_000) await new Promise((resolve) => setTimeout(resolve, 2));
    socket.destroy();
    assert.equal(((await failure) as { status: number }).status, 400);
    assert.ok(!existsSync(path));
    assert.ok(!readdirSync(folder).includes('left.txt'));
  });

  it('keep the client waiting while nobody reads', { timeout: 20_000 }, async (t) => {
    let goOn: () => void = () => {};
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    let size = 0;
    const app = opened(t, (a) => {
      a.post('/', (c) =>
        firstFile(c.body.multipart({ limits: { fileSize: Infinity } }), async (one) => {
          await waiting;
          for await (const piece of one) size += piece.byteLength;
          return { size };
        }),
      );
    });
    const { port } = (await serverOf(app)).address() as AddressInfo;
    const socket = createConnection(port, '127.0.0.1');
    const SIZE = 64 * 1024 * 1024;
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n`;
    const tail = `\r\n${END}`;
    socket.write(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${TYPE}\r\nContent-Length: ${head.length + SIZE + tail.length}\r\nConnection: close\r\n\r\n${head}`,
    );
    const piece = Buffer.alloc(1024 * 1024, 'x');
    let written = 0;
    const write = (): void => {
      while (written < SIZE) {
        written += piece.length;
        if (!socket.write(piece)) return void socket.once('drain', write);
      }
      socket.write(tail);
    };
    write();
    for (let still = 0, last = -1; still < 100; still = written === last ? still + 1 : 0) {
      last = written;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.ok(written < SIZE, 'all of it has been taken');
    goOn();
    const pieces: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => pieces.push(chunk));
    await once(socket, 'close');
    assert.match(Buffer.concat(pieces).toString(), new RegExp(`"size":${SIZE}`));
  });

  it('are read once', async (t) => {
    const app = opened(t, (a) => {
      a.post('/', (c) =>
        firstFile(c.body.multipart(), async (one) => {
          await one.bytes();
          return one.bytes();
        }),
      );
      a.post('/late', async (c) => {
        const kept: FilePart[] = [];
        for await (const part of c.body.multipart()) if (part.kind === 'file') kept.push(part);
        return (kept[0] as FilePart).text();
      });
    });
    assert.equal((await post(app, file('f', 'a.txt', 'hello') + END)).status, 500);
    assert.equal((await post(app, file('f', 'a.txt', 'hello') + END, '/late')).status, 500);
  });

  it('are awaited before the loop is left', async (t) => {
    const logged: unknown[] = [];
    const app = createApp({ logger: { error: (_, error) => logged.push(error) } });
    t.after(() => app.close());
    app.post('/', async (c) => {
      for await (const one of c.body.multipart()) return (one as FilePart).text();
      return 'none';
    });
    const pieces = (file('f', 'a.txt', 'x'.repeat(300_000)) + END).match(/[^]{1,1000}/g) ?? [];
    const content = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers: { 'Content-Type': TYPE },
      body: content,
      duplex: 'half',
    } as RequestInit);
    assert.equal((await app.fetch(request)).status, 500);
    assert.match(String(logged[0]), /await what reads it/);
  });

  it('are web streams, too', async (t) => {
    const app = opened(t, (a) => a.post('/', async (c) => firstFile(c.body.multipart(), (one) => new Response(one.stream()).text())));
    assert.equal((await post(app, file('f', 'a.txt', 'hello') + END)).text, 'hello');
  });

  it('come whole, however the content is cut', async (t) => {
    const app = opened(t, withForms());
    const body = new TextEncoder().encode(field('ä', '1') + file('f', '鷗.txt', 'hello') + END);
    for (let at = 1; at < body.length; at += 1) {
      const content = ReadableStream.from([body.subarray(0, at), body.subarray(at)]);
      const request = new Request('http://localhost/parts', {
        method: 'POST',
        headers: { 'Content-Type': TYPE },
        body: content,
        duplex: 'half',
      } as RequestInit);
      assert.deepEqual(
        await (await app.fetch(request)).json(),
        [
          ['ä', '1'],
          ['f', { ...TEXT_FILE, filename: '鷗.txt' }],
        ],
        String(at),
      );
    }
  });

  it('go to the schema of a route', async (t) => {
    const seen: unknown[] = [];
    const schema = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => (seen.push(value), { value }) } };
    const app = opened(t, (a) => a.post('/', { body: schema }, (c) => Object.keys(c.body as object)));
    assert.deepEqual(
      (await post(app, field('a', '1') + field('a', '2') + field('__proto__', '3') + file('f', 'a.txt', 'hello') + END)).json(),
      ['a', '__proto__', 'f'],
    );
    const [given] = seen as [{ a: string[]; f: File }];
    assert.deepEqual(given.a, ['1', '2']);
    assert.equal(await given.f.text(), 'hello');
  });
});

/** The same numbers each time. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
}

const LETTERS = ['a', 'é', '鷗', '"', '%', ' ', '=', ';', "'", '-', '--', '\r\n', '😀', '+', '&', '*', '?'];

function randomForm(number: (below: number) => number): FormData {
  const word = (most: number): string => Array.from({ length: number(most) }, () => LETTERS[number(LETTERS.length)]).join('');
  const form = new FormData();
  for (let left = number(6); left > 0; left -= 1) {
    if (number(2) === 0) form.append(`n${word(6)}`, word(200));
    else form.append(`n${word(6)}`, new File([word(number(2) === 0 ? 30 : 20_000)], `f${word(5)}`, { type: 'text/plain' }));
  }
  return form;
}

describe('random forms', () => {
  it('are read as the platform reads them, however they are cut', async () => {
    const app = createApp();
    withForms({ limits: { fieldSize: Infinity } })(app);
    const number = createNumbers(7);
    for (let at = 0; at < 60; at += 1) {
      const request = new Request('http://localhost/', { method: 'POST', body: randomForm(number) });
      const bytes = new Uint8Array(await request.clone().arrayBuffer());
      const expected: unknown[] = [];
      const type = request.headers.get('content-type') as string;
      for (const [name, value] of await request.formData()) {
        const shown = (await shownFile(value)) as string | { filename: string };
        // No name of a file has line ends here.
        expected.push([name, typeof shown === 'string' ? shown : { ...shown, filename: shown.filename.replaceAll(/[\r\n]/g, '') }]);
      }
      for (const path of ['form', 'parts']) {
        const pieces: Uint8Array[] = [];
        for (let from = 0, to = 0; from < bytes.length; from = to) pieces.push(bytes.subarray(from, (to = from + 1 + number(5000))));
        const init = { method: 'POST', headers: { 'Content-Type': type }, body: ReadableStream.from(pieces), duplex: 'half' };
        const reply = await app.fetch(new Request(`http://localhost/${path}`, init as RequestInit));
        assert.deepEqual(await reply.json(), expected, `form ${at}`);
      }
    }
  });
});
