/**
 * The layer rule of ARCHITECTURE.md, checked on the import graph: a layer imports only from layers beneath it, never sideways; only
 * `exchange` knows the addon; protocol crates do no I/O; `engine` knows no JavaScript.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Import, listFiles, readImports } from './imports.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const imports = readImports(join(root, 'packages', 'fulmar', 'src'));

/** Each layer and what it may import besides itself. A folder that is not here has no place in the design yet. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  host: [],
  exchange: ['host'],
  http: ['exchange', 'host'],
  web: ['http', 'exchange', 'host'],
  express: ['web', 'http', 'exchange', 'host'],
  koa: ['web', 'http', 'exchange', 'host'],
  zlib: ['http', 'host'],
  app: ['web', 'http', 'exchange', 'host'],
  controllers: ['app', 'web', 'http', 'exchange', 'host'],
  routes: ['app', 'web', 'http', 'exchange', 'host'],
  rpc: ['app', 'web', 'http', 'exchange', 'host'],
  client: [],
  native: ['host'],
  compiler: [],
  cli: ['compiler', 'controllers', 'routes', 'rpc', 'express', 'koa', 'app', 'web', 'http', 'exchange', 'host'],
};

const layerOf = (path: string): string => path.split('/')[0] ?? '';
const show = (found: readonly Import[]): string[] => found.map(({ from, specifier }) => `${from} imports ${specifier}`);

test('every source folder is a layer of the design', () => {
  const unknown = imports.filter(({ from }) => !(layerOf(from) in allowed));
  assert.ok(imports.length > 0, 'no import found: the reader is broken');
  assert.deepEqual(show(unknown), []);
});

test('a layer imports only from layers beneath it', () => {
  const wrong = imports.filter(
    ({ from, to }) => to !== undefined && layerOf(from) !== layerOf(to) && !allowed[layerOf(from)]?.includes(layerOf(to)),
  );
  assert.deepEqual(show(wrong), []);
});

/**
 * The doors of a layer: its index, its vocabulary, what reads bytes whatever an application has replaced, the message classes, whose prototypes Express extends, and replies from files, which a
 * start does not load. `web` and `host` have no index: each of their files is a door.
 */
const doors = /^(?:web|host)\/|\/(?:index|types|format|native-buffer|message-classes|file-reply)\.ts$/;

test('a layer enters another one only through its doors', () => {
  const wrong = imports.filter(
    ({ from, to, typeOnly }) => to !== undefined && !typeOnly && layerOf(from) !== layerOf(to) && !doors.test(to),
  );
  assert.deepEqual(show(wrong), []);
});

test('no import leaves the source folder', () => {
  assert.deepEqual(show(imports.filter(({ to }) => to?.startsWith('..') === true && !to.endsWith('package.json'))), []);
});

test('process-wide keys stand in one list', () => {
  // Marks of objects that applications or other files of the same layer read, not keys of `globalThis`.
  const marks = [
    'http/version.ts',
    'native/node/util/functions.ts',
    'native/lazy/web/blob.ts',
    'native/lazy/web/url.ts',
    'native/lazy/web/events.ts',
  ];
  const src = join(root, 'packages', 'fulmar', 'src');
  const elsewhere = listFiles(src, '.ts').filter((file) => {
    const name = relative(src, file).split(sep).join('/');
    return name !== 'host/globals.ts' && !marks.includes(name) && /Symbol\.for\(['"`]fulmar/.test(readFileSync(file, 'utf8'));
  });
  assert.deepEqual(elsewhere, []);
});

test('the names of late parts lead to their files', () => {
  const text = readFileSync(join(root, 'packages/fulmar/src/native/internal-modules.ts'), 'utf8');
  const rows = [...text.matchAll(/^ {2}'([^']+)\.cjs': typeof import\('\.\/([^']+)\.ts'\);$/gm)];
  assert.ok(rows.length > 30);
  for (const [, name, file] of rows) assert.ok(file === name || file === `${name}/index`, `${name} leads to ${file}`);
});

test('only the native host uses its functions', () => {
  const wrong = imports.filter(({ from, specifier }) => specifier === 'fulmar:ops' && layerOf(from) !== 'native');
  assert.deepEqual(show(wrong), []);
});

test('only exchange loads a native addon', () => {
  const native = imports.filter(({ from, specifier }) => specifier.endsWith('.node') && layerOf(from) !== 'exchange');
  assert.deepEqual(show(native), []);
});

test('express and koa reach node:http only through the http layer', () => {
  const bypass = imports.filter(({ from, specifier, typeOnly }) => {
    return ['express', 'koa', 'app'].includes(layerOf(from)) && !typeOnly && /^(?:node:)?http$/.test(specifier);
  });
  assert.deepEqual(show(bypass), []);
});

interface CargoPackage {
  readonly name: string;
  readonly dependencies: readonly { readonly name: string; readonly kind: string | null }[];
}

function cratesOfWorkspace(): Map<string, CargoPackage> {
  const text = execFileSync('cargo', ['metadata', '--no-deps', '--offline', '--format-version', '1'], { cwd: root, encoding: 'utf8' });
  const { packages } = JSON.parse(text) as { packages: CargoPackage[] };
  return new Map(packages.map((crate) => [crate.name, crate]));
}

/** What must not be among a crate's dependencies (dev-dependencies are free), and the rule that says so. */
const forbidden = [
  { crate: 'fulmar-http1', rule: 'does no I/O', pattern: /^(?:mio|socket2|libc|rustix|tokio|napi|napi-.*|fulmar-.*)$/ },
  {
    crate: 'fulmar-engine',
    rule: 'knows no JavaScript',
    pattern: /^(?:napi|napi-.*|rquickjs|rquickjs-.*|fulmar-(?:batch|addon|quickjs|quickjs-node))$/,
  },
  {
    crate: 'fulmar-batch',
    rule: 'knows no JavaScript',
    pattern: /^(?:napi|napi-.*|rquickjs|rquickjs-.*|fulmar-(?:addon|quickjs|quickjs-node))$/,
  },
  { crate: 'fulmar-node-crypto', rule: 'knows no JavaScript', pattern: /^(?:rquickjs|rquickjs-.*|fulmar-.*)$/ },
  { crate: 'fulmar-quickjs-node', rule: 'drives no engine', pattern: /^fulmar-(?:engine|addon|quickjs)$/ },
] as const;

for (const { crate, rule, pattern } of forbidden) {
  test(`${crate} ${rule}`, () => {
    const found = cratesOfWorkspace().get(crate);
    assert.ok(found !== undefined, `${crate} is not in the workspace`);
    const wrong = found.dependencies.filter(({ kind, name }) => kind !== 'dev' && pattern.test(name)).map(({ name }) => name);
    assert.deepEqual(wrong, []);
  });
}

test("only the functions under Node's modules use the algorithms of node:crypto", () => {
  const users = [...cratesOfWorkspace().values()].filter(({ dependencies }) =>
    dependencies.some(({ name }) => name === 'fulmar-node-crypto'),
  );
  assert.deepEqual(
    users.map(({ name }) => name),
    ['fulmar-quickjs-node'],
  );
});
