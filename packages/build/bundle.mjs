/**
 * Bundles `packages/fulmar/src` into `packages/fulmar/dist`: CommonJS, ESM wrappers around it, licences of
 * what was bundled; and the QuickJS host's modules into `dist/native`. Writes only what changed, each file by
 * rename, so that a process that starts meanwhile never sees half a file.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { bundleCompiler } from './compiler.mjs';
import { bundleNativeModules } from './quickjs-modules.mjs';
import { bundledPackages, linkedCrates, notices } from '../../scripts/lib/notices.mjs';
import { generate, writeIfChanged } from './rolldown.mjs';
import { emitTypes } from './types.mjs';
import { adapters } from './folders.mjs';
import { distDir, Failure } from '../../scripts/lib/run.mjs';

/**
 * Exports that only newer versions of `node:http` have: a package built on an older Node must offer them too.
 */
const newerHttpNames = ['CloseEvent', 'MessageEvent', 'WebSocket', 'setGlobalProxyFromEnv'];

/**
 * What applications import: `dist/<name>.cjs` is the default export of `lib-<name>.cjs`
 * (`require('fulmar/express')` is the express function itself), `dist/<name>.mjs` the same for `import`.
 * `host` is Node's module with the same lazy exports.
 */
const facades = [
  { name: 'http', host: 'node:http', extraNames: newerHttpNames },
  { name: 'express', extraNames: [] },
  { name: 'express4', extraNames: [] },
  { name: 'koa', extraNames: [] },
  { name: 'koa2', extraNames: [] },
  { name: 'app', extraNames: [] },
  { name: 'middleware', extraNames: [] },
  { name: 'openapi', extraNames: [] },
  ...adapters.map((name) => ({ name: `adapters-${name}`, extraNames: [] })),
  { name: 'types', extraNames: [] },
  { name: 'rpc', extraNames: [] },
  { name: 'vite', extraNames: [] },
  { name: 'controllers', extraNames: [] },
  { name: 'controllers-testing', extraNames: [] },
  { name: 'controllers-openapi', extraNames: [] },
  { name: 'routes', extraNames: [] },
  { name: 'polyglot', extraNames: [] },
  { name: 'polyglot-global', extraNames: [] },
  // What `require('zlib')` leads to in some packages: nobody imports it.
  { name: 'zlib', requireOnly: true },
];

export async function bundle() {
  const { default: config } = await import('./run-time.config.mjs');
  const { requireLazily } = await import('./passes/require-lazily.mjs');
  const output = await generate(config);
  mkdirSync(distDir, { recursive: true });
  const files = new Map();
  for (const item of output) addOutput(files, item, requireLazily);
  const { default: edgeConfig } = await import('./edge.config.mjs');
  const edgeOutput = await generate(edgeConfig);
  writeEdge(edgeOutput);
  const { default: clientConfigs } = await import('./client.config.mjs');
  for (const clientConfig of clientConfigs) addClient(files, await generate(clientConfig));
  const nativeOutput = await bundleNativeModules();
  files.set('THIRD_PARTY_NOTICES', notices(bundledPackages([...output, ...edgeOutput, ...nativeOutput]), linkedCrates()));
  for (const [name, text] of files) writeIfChanged(join(distDir, name), text);
  const built = facades.filter(({ name }) => files.has(`lib-${name}.cjs`));
  const problems = built.map((facade) => addFacade(files, facade)).filter((problem) => problem !== undefined);
  for (const name of ['express', 'express4']) addJestParts(files, name);
  await emitTypes();
  await bundleCompiler();
  removeStale(files);
  if (problems.length > 0) throw new Failure(problems.join('\n'));
  const chunks = (items) => items.filter((item) => item.type === 'chunk').length;
  return `${chunks(output)} chunks, ${chunks(nativeOutput)} of the native host`;
}

/** Modules for hosts without Node, in a folder of their own. */
function writeEdge(output) {
  const folder = join(distDir, 'edge');
  const files = new Map();
  for (const item of output) {
    if (item.type !== 'chunk') continue;
    const ofNode = item.imports.filter((name) => name.startsWith('node:'));
    if (ofNode.length > 0) throw new Failure(`edge/${item.fileName} imports ${ofNode.join(', ')}, which its hosts do not have`);
    files.set(item.fileName, item.code);
    if (item.map) files.set(`${item.fileName}.map`, JSON.stringify(item.map));
  }
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, text] of files) writeIfChanged(join(folder, name), text);
}

function addClient(files, output) {
  for (const item of output) {
    if (item.type !== 'chunk') continue;
    if (item.imports.length > 0) throw new Failure(`${item.fileName} imports ${item.imports.join(', ')}, and a client stands alone`);
    files.set(item.fileName, item.code);
    if (item.map) files.set(`${item.fileName}.map`, JSON.stringify(item.map));
  }
}

function addOutput(files, item, requireLazily) {
  if (item.type === 'asset') {
    files.set(item.fileName, item.source);
    return;
  }
  files.set(item.fileName, isOfCommands(item) ? item.code : requireLazily(item.code));
  if (item.map) files.set(`${item.fileName}.map`, JSON.stringify(item.map));
}

/** The command line, and what prepares a process, use nearly all that they load. */
const isOfCommands = (chunk) => chunk.moduleIds.some((id) => /[\\/](?:fulmar[\\/]src[\\/]launch|cli[\\/]src)[\\/]/.test(id));

/** An old Node lacks what every module of ours begins with, and would say no more than that. */
const refusal = (name) =>
  `if (!process.getBuiltinModule) throw new Error('fulmar/${name} needs Node 20.19 or later, and this is Node ' + process.versions.node + '. Install a newer one.');\n`;

function addFacade(files, facade) {
  const write = (file, text) => {
    files.set(file, text);
    writeIfChanged(join(distDir, file), text);
  };
  write(`${facade.name}.cjs`, `'use strict';\n${refusal(facade.name)}module.exports = require('./lib-${facade.name}.cjs').default;\n`);
  if (facade.requireOnly) return undefined;
  const module = requireFresh(join(distDir, `${facade.name}.cjs`));
  if (module === undefined) return `lib-${facade.name} has no default export`;
  write(`${facade.name}.mjs`, esmWrapper(facade, module));
  return undefined;
}

/**
 * A file for each part that tools patch by its path, as `src/launch/jest/part-files.ts` names it: jest loads
 * files alone.
 */
function addJestParts(files, name) {
  const bundleFile = `lib-${name}-parts.cjs`;
  for (const part of Object.keys(requireFresh(join(distDir, bundleFile)).parts)) {
    const file = `jest-${name}-parts-${part.replace(/\.js$/, '').replaceAll('/', '-')}.cjs`;
    const text = `'use strict';\nmodule.exports = require('./${bundleFile}').parts['${part}'];\n`;
    files.set(file, text);
    writeIfChanged(join(distDir, file), text);
  }
}

/**
 * `import m from './http.cjs'` and one export per property of it. A property that is a lazy getter in ours
 * and in Node's is read from Node's module. Not by an `import`: under `fulmar run` the URL `node:http` is
 * this very file.
 */
function esmWrapper({ name, host, extraNames }, module) {
  const names = new Set([...Object.keys(module), ...extraNames]);
  const isLazy = (key) => host !== undefined && (extraNames.includes(key) || Object.getOwnPropertyDescriptor(module, key)?.get);
  const lines = [`import m from './${name}.cjs';`];
  if ([...names].some(isLazy))
    lines.push(`const host = (globalThis[Symbol.for('fulmar.getBuiltinModule')] ?? process.getBuiltinModule)('${host}');`);
  lines.push('export default m;');
  const exported = [];
  for (const key of [...names].sort()) {
    lines.push(`const $${key} = ${isLazy(key) ? 'host' : 'm'}.${key};`);
    exported.push(`$${key} as ${key}`);
  }
  lines.push(`export { ${exported.join(', ')} };`, '');
  return lines.join('\n');
}

/**
 * The CommonJS module at `file`, loaded past the module cache (an earlier build may be loaded in this
 * process).
 */
function requireFresh(file) {
  const require = createRequire(import.meta.url);
  for (const key of Object.keys(require.cache)) if (key.startsWith(distDir)) delete require.cache[key];
  return require(file);
}

function removeStale(files) {
  for (const name of readdirSync(distDir)) {
    const isOurs = /\.(?:cjs|mjs)(?:\.map)?$/.test(name);
    if (isOurs && !files.has(basename(name))) rmSync(join(distDir, name));
  }
}
