/**
 * A folder for a platform that runs Node: the application's bundle, our own ones that it loads, the files it
 * reads, and a first module that the platform loads. It is what a file of `fulmar build` unpacks, laid out.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Asset } from '../assets.ts';
import { type Bundled, bundleAll, type BundleInput, MAIN } from '../bundle.ts';
import { putFolderInPlace } from '../output.ts';
import { globalInSource } from '../../../../fulmar/src/host/globals.ts';
import type { PlatformBuilt } from './index.ts';

/** What differs between platforms. */
interface FolderKind {
  /** Of the function, below the folder that is made. */
  readonly folder: string;
  /** The adapter, by the names of its bundle and its function. */
  readonly bundle: string;
  readonly adapter: string;
  /** What the first module exports the handler as. */
  readonly exported: string;
  /** Files beside it: path below the folder that is made → text. */
  readonly others: Readonly<Record<string, string>>;
}

/** Of our code, beside the application's files. */
const CODE = '_fulmar';
const INDEX = 'index.mjs';
const MS_PER_SECOND = 1000;

/** It is the engine that calls other languages, and none is in such a folder. */
const NO_GUESTS = 'uses fulmar/polyglot, which needs the engine, and a function has none: its calls will fail';

export const LAMBDA: FolderKind = {
  folder: '',
  bundle: 'lib-adapters-lambda.cjs',
  adapter: 'lambda',
  exported: 'export const handler',
  others: {},
};

const vercelFunction = {
  runtime: 'nodejs22.x',
  handler: INDEX,
  launcherType: 'Nodejs',
  shouldAddHelpers: false,
  supportsResponseStreaming: true,
};
const vercelConfig = { version: 3, routes: [{ handle: 'filesystem' }, { src: '/(.*)', dest: '/index' }] };

export const VERCEL: FolderKind = {
  folder: 'functions/index.func',
  bundle: 'lib-adapters-vercel.cjs',
  adapter: 'vercel',
  exported: 'const handler',
  others: {
    'config.json': JSON.stringify(vercelConfig, null, 2),
    'functions/index.func/.vc-config.json': JSON.stringify(vercelFunction, null, 2),
  },
};

/** What a folder of ours is known by. */
export const markOf = ({ folder }: FolderKind): string => join(folder, CODE, MAIN);

export async function buildFolder(
  kind: FolderKind,
  input: BundleInput & { readonly out: string; readonly dist: string },
): Promise<PlatformBuilt> {
  const bundled = await bundleAll({ ...input, exportsEntry: true, alsoOwn: [kind.bundle, 'build-serverless.cjs'] });
  putFolderInPlace(input.out, (temporary) => write(temporary, kind, { ...input, bundled }));
  const notes = bundled.own.includes('lib-polyglot.cjs') ? [...bundled.notes, NO_GUESTS] : bundled.notes;
  return { modules: bundled.modules, notes, assets: bundled.assets, bytes: bytesIn(input.out) };
}

interface Written {
  readonly bundled: Bundled;
  readonly dist: string;
  readonly version: string;
}

function write(root: string, kind: FolderKind, { bundled, dist, version }: Written): void {
  const folder = join(root, kind.folder);
  const code = join(folder, CODE);
  mkdirSync(code, { recursive: true });
  for (const [name, text] of bundled.chunks) writeFileSync(join(code, name), text);
  for (const name of bundled.own)
    writeFileSync(join(code, name), readFileSync(join(dist, name), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  for (const asset of bundled.assets) copyAsset(folder, asset);
  writeFileSync(join(folder, INDEX), indexSource(kind, bundled.entries, version));
  for (const [path, text] of Object.entries(kind.others)) writeFileSync(join(root, path), `${text}\n`);
}

/** With its time, of which validators are made. */
function copyAsset(folder: string, { place, file, mtimeMs }: Asset): void {
  const path = join(folder, place);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(file, path);
  utimesSync(path, mtimeMs / MS_PER_SECOND, mtimeMs / MS_PER_SECOND);
}

/** `__dirname` of the application's modules is in this folder, as if their sources lay here. */
function indexSource({ bundle, adapter, exported }: FolderKind, entries: object, version: string): string {
  const scope = `{ file: fileURLToPath(import.meta.url), root, folder: root, entries: ${JSON.stringify(entries)}, files: [] }`;
  return `// Made by fulmar build ${version}.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
const require = createRequire(import.meta.url);
const root = dirname(fileURLToPath(import.meta.url));
${globalInSource('fulmar.bundle')} = ${scope};
const built = require('./${CODE}/build-serverless.cjs').begin();
const { application } = await import('./${CODE}/${MAIN}');
${exported} = built.handler(application, (app) => require('./${CODE}/${bundle}').${adapter}(app));
${exported.startsWith('export') ? '' : 'export default handler;\n'}`;
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
