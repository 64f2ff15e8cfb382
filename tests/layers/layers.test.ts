/**
 * The layer rule of ARCHITECTURE.md, checked on the import graph: a layer imports only from layers beneath
 * it, never sideways; only `exchange` knows the addon; protocol crates do no I/O; `engine` knows no
 * JavaScript.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Import, listFiles, nameOf, readImports, withoutComments } from './imports.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const sources = {
  '': join(root, 'packages', 'fulmar', 'src'),
  'cli/': join(root, 'packages', 'cli', 'src'),
  'quickjs-node/': join(root, 'packages', 'quickjs-node', 'src'),
  'compiler/': join(root, 'packages', 'compiler', 'src'),
  'client/': join(root, 'packages', 'client', 'src'),
};
const imports = readImports(sources);

/**
 * Each layer and what it may import besides itself. A folder that is not here has no place in the design yet.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  host: [],
  exchange: ['host'],
  http: ['exchange', 'host'],
  web: ['http', 'exchange', 'host'],
  express: ['web', 'http', 'exchange', 'host'],
  koa: ['web', 'http', 'exchange', 'host'],
  zlib: ['http', 'host'],
  shape: [],
  typed: ['shape'],
  compiler: ['shape'],
  app: ['web', 'zlib', 'http', 'exchange', 'host', 'shape'],
  rpc: ['app', 'web', 'shape', 'host'],
  // `req` and `res` of its handlers are Express's.
  controllers: ['app', 'express', 'web', 'http', 'exchange', 'shape', 'host'],
  routes: ['app', 'host', 'web'],
  // Other languages: messages in the binary form of values, through the engine's binding.
  polyglot: ['exchange', 'shape', 'host'],
  // What both ends do to values, and what judges them.
  client: ['shape', 'typed'],
  adapters: ['app', 'web', 'http', 'exchange', 'host'],
  vite: ['app', 'exchange', 'launch', 'host'],
  // Loaded by `fulmar dev` alone.
  dev: ['app', 'web', 'http', 'exchange', 'launch', 'host'],
  // What it reloads in; the same.
  hot: ['exchange', 'launch', 'host'],
  'quickjs-node': ['host'],
  launch: ['host'],
  cli: ['dev', 'hot', 'polyglot', 'routes', 'launch', 'express', 'koa', 'app', 'shape', 'web', 'http', 'exchange', 'host'],
};

/** Layers that are designed and have no file yet. */
const awaited: readonly string[] = ['app'];

const layerOf = (path: string): string => path.split('/')[0] ?? '';
const show = (found: readonly Import[]): string[] => found.map(({ from, specifier }) => `${from} imports ${specifier}`);

test('every source folder is a layer of the design', () => {
  const unknown = imports.filter(({ from }) => !(layerOf(from) in allowed));
  assert.ok(imports.length > 0, 'no import found: the reader is broken');
  assert.deepEqual(show(unknown), []);
});

test('every layer of the design has its folder', () => {
  const files = Object.values(sources).flatMap((folder) => listFiles(folder, '.ts'));
  const folders = new Set(files.map((file) => layerOf(nameOf(sources, file))));
  const isMissing = (layer: string): boolean => !folders.has(layer) && !awaited.includes(layer);
  const named = [...Object.keys(allowed), ...Object.values(allowed).flat()];
  assert.deepEqual(named.filter(isMissing), []);
});

/**
 * The runtime's last step is to hand over to what `fulmar build --native` put into the executable, which is
 * built with it.
 */
const handOver = { from: 'quickjs-node/start/main.ts', to: 'launch/built/native/application.ts' };
const isHandOver = ({ from, to }: Import): boolean => from === handOver.from && to === handOver.to;

test('a layer imports only from layers beneath it', () => {
  assert.ok(imports.some(isHandOver));
  const wrong = imports.filter(
    (one) =>
      one.to !== undefined &&
      layerOf(one.from) !== layerOf(one.to) &&
      !allowed[layerOf(one.from)]?.includes(layerOf(one.to)) &&
      !isHandOver(one),
  );
  assert.deepEqual(show(wrong), []);
});

/**
 * The doors of a layer: its index, its vocabulary, what reads bytes whatever an application has replaced, the
 * exchange without a connection, the engine's binding (for other languages) and how lines of a field are joined, what the app makes of a request without a
 * connection and how options are checked (for adapters), what keeps values for a time, what of a value is there as a whole (for controllers and routes), how a document is served, what schemas of routes are and do, where
 * routes were registered and how paths are spelled (for files of routes), how requests are counted, replies watched and who listens to an exchange that messages are made of (for controllers), which streams end
 * with a server (for RPC), what judges values by
 * types that are data (for the client), the message classes, whose prototypes Express extends, and replies from files and
 * compressed in one pass, which a start does not load. `web`, `host`, `launch` and `shape` have no index: each of their
 * files is a door.
 */
const doors =
  /^(?:web|host|launch|shape)\/|\/(?:index|types|format|node-buffer|memory-exchange|message-exchange|field-value|binding|message-classes|file-reply|whole-deflate)\.ts$|^app\/(?:caching\/credentials|caching\/memory-cache|caching\/values|checked-options|collected|fetch|mount|observing|open-streams|place|reply-value|route-options|router\/path-text|server|standard-schema|validate-reply|middleware\/(?:memory-store|rate-window|watch-reply|whole-value)|openapi\/(?:application-package|components|document-routes|schema-source))\.ts$|^typed\/wire-misfits\.ts$/;

test('a layer enters another one only through its doors', () => {
  const wrong = imports.filter(
    (one) => one.to !== undefined && !one.typeOnly && layerOf(one.from) !== layerOf(one.to) && !doors.test(one.to) && !isHandOver(one),
  );
  assert.deepEqual(show(wrong), []);
});

test('no import leaves the source folder', () => {
  assert.deepEqual(show(imports.filter(({ to }) => to?.startsWith('..') === true && !to.endsWith('package.json'))), []);
});

test('process-wide keys stand in one list', () => {
  // Where symbols of the global registry are named all the same, but for Node's own (`nodejs.…`).
  const others = [
    // Marks of objects that applications or other files of the same layer read, not keys of `globalThis`.
    'controllers/pipeline/rejected.ts',
    'express/router/trace.ts',
    'http/version.ts',
    'quickjs-node/util/functions.ts',
    'quickjs-node/web/blob.later.ts',
    'quickjs-node/web/events.later.ts',
    'quickjs-node/web/stream-state.ts',
    'quickjs-node/web/url.later.ts',
    // Keys of packages: those of undici, of signal-exit and of Zely.
    'cli/build/native/undici.ts',
    'launch/lifecycle/signals.ts',
    'quickjs-node/web/undici-global.ts',
    'routes/zely/exports.ts',
  ];
  const found = Object.values(sources)
    .flatMap((folder) => listFiles(folder, '.ts'))
    .filter((file) => /\bSymbol\.for\((?!['"`]nodejs\.)/.test(withoutComments(readFileSync(file, 'utf8'))))
    .map((file) => nameOf(sources, file))
    .sort();
  assert.deepEqual(found, [...others, 'host/globals.ts'].sort());
});

test('neither a start nor one of Node’s modules loads with it what is to be loaded late', () => {
  const isLate = (path: string): boolean => path.endsWith('.later.ts');
  const loads = imports.filter(({ to, typeOnly, isDynamic }) => to !== undefined && !typeOnly && !isDynamic);
  const reached = new Set(loads.map(({ from }) => from).filter((from) => /^quickjs-node\/(?:start\/\w+|.+\/index)\.ts$/.test(from)));
  assert.ok(reached.size > 30, 'no module found: the reader is broken');
  for (const file of reached) for (const { from, to } of loads) if (from === file && to !== undefined && !isLate(to)) reached.add(to);
  assert.deepEqual(show(loads.filter(({ from, to }) => reached.has(from) && isLate(to as string))), []);
});

test('only the compiler of types uses TypeScript', () => {
  const users = imports.filter(({ specifier }) => specifier === 'typescript');
  assert.ok(users.length > 0, 'no import found: the reader is broken');
  assert.deepEqual(show(users.filter(({ from }) => layerOf(from) !== 'compiler')), []);
});

test('only the native host uses its functions', () => {
  const wrong = imports.filter(({ from, specifier }) => specifier === 'fulmar:ops' && layerOf(from) !== 'quickjs-node');
  assert.deepEqual(show(wrong), []);
});

test('frameworks know nothing of the host they run on', () => {
  const asked = ['express', 'koa']
    .flatMap((layer) => listFiles(join(sources[''], layer), '.ts'))
    .filter((file) => {
      return /nativeHost|holdShapes|fulmar\.host/.test(readFileSync(file, 'utf8'));
    });
  assert.deepEqual(asked, []);
});

test('below the batch no error has a name of Node’s', () => {
  const files = ['http1', 'engine'].flatMap((crate) => listFiles(join(root, 'crates', crate), '.rs'));
  assert.ok(files.length > 40, `only ${files.length} files found`);
  assert.deepEqual(
    files.filter((file) => /\b(?:HPE|ERR_HTTP|ERR)_[A-Z]|clientError/.test(readFileSync(file, 'utf8'))),
    [],
  );
});

test('only exchange loads a native addon', () => {
  const native = imports.filter(({ from, specifier }) => specifier.endsWith('.node') && layerOf(from) !== 'exchange');
  assert.deepEqual(show(native), []);
});

test('express and koa reach node:http only through the http layer', () => {
  const bypass = imports.filter(({ from, specifier, typeOnly }) => {
    return ['express', 'koa', 'app', 'adapters'].includes(layerOf(from)) && !typeOnly && /^(?:node:)?http$/.test(specifier);
  });
  assert.deepEqual(show(bypass), []);
});

test('an app that has no port needs nothing of Node, nor do adapters', () => {
  const isBorder = (path: string): boolean => path === 'app/lazy.ts' || path === 'adapters/lazy.ts';
  const loads = imports.filter(({ typeOnly, isDynamic }) => !typeOnly && !isDynamic);
  const middleware = imports.map(({ from }) => from).filter((from) => from.startsWith('app/middleware/'));
  const adapters = imports.map(({ from }) => from).filter((from) => /^adapters\/\w+\/index\.ts$/.test(from));
  const reached = new Set(['app/index.ts', ...middleware, ...adapters]);
  for (const file of reached) for (const { from, to } of loads) if (from === file && to !== undefined && !isBorder(to)) reached.add(to);
  assert.ok(reached.size > 20, 'no file found: the reader is broken');
  const ofNode = loads.filter(({ from, specifier }) => reached.has(from) && specifier.startsWith('node:'));
  assert.deepEqual(show(ofNode), []);
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
