/**
 * The types of what is written in TypeScript for its users (`src/app`, `src/typed`, `src/rpc`, `src/controllers`, the client): declarations by tsc, those that the
 * entries reach, once as an ES module's and once as a CommonJS module's. The types of what stands for other
 * packages are written by hand, in `packages/fulmar/types`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { adapters, clientFolder, clientParts, fulmarFolder, fulmarSources } from './folders.mjs';
import { writeIfChanged } from './rolldown.mjs';
import { capture, distDir, Failure, root } from '../../scripts/lib/run.mjs';

const ENTRIES = [
  join('app', 'index'),
  join('app', 'middleware', 'index'),
  join('app', 'openapi', 'index'),
  join('typed', 'index'),
  join('rpc', 'index'),
  join('vite', 'index'),
  join('controllers', 'index'),
  join('controllers', 'testing', 'index'),
  join('controllers', 'openapi', 'index'),
  join('routes', 'index'),
  join('polyglot', 'index'),
  join('polyglot', 'global'),
  ...adapters.map((name) => join('adapters', name, 'index')),
];
/** A declaration file's imports of its neighbours. */
const IMPORT = /((?:from |import\()['"])(\.{1,2}\/[^'"]+)\.ts(['"])/g;

/**
 * The declarations that `entries` reach: path → text, with imports as a package has them. @param {(path:
 * string) => string} read
 */
export function reachable(entries, read) {
  const found = new Map();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    const text = read(file);
    for (const [, , path] of text.matchAll(IMPORT)) waiting.push(join(dirname(file), `${path}.d.ts`));
    found.set(
      file,
      text.replaceAll(IMPORT, (_, before, path, after) => `${before}${path}.js${after}`),
    );
  }
  return found;
}

/** Writes `dist/types/{esm,cjs}`. */
export async function emitTypes() {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-types-'));
  try {
    const options = {
      declaration: true,
      emitDeclarationOnly: true,
      noEmit: false,
      stripInternal: true,
      outDir: folder,
      rootDir: fulmarSources,
    };
    const typeRoots = [join(root, 'node_modules', '@types')];
    const libraries = ['web', 'express', 'koa', 'app'].map((layer) => join(fulmarSources, layer, 'types', 'libraries.d.ts'));
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { ...options, types: ['node'], typeRoots },
      files: [...ENTRIES.map((entry) => join(fulmarSources, `${entry}.ts`)), ...libraries],
    };
    const file = join(folder, 'tsconfig.json');
    writeFileSync(file, JSON.stringify(config));
    const { code, output } = await capture(process.execPath, [join(root, 'node_modules', '.bin', 'tsc'), '-p', file], {
      cwd: fulmarFolder,
    });
    if (code !== 0) throw new Failure(`the app's types could not be made:\n${output}`);
    const entries = ENTRIES.map((entry) => `${entry}.d.ts`);
    const files = reachable(entries, (path) => readFileSync(join(folder, path), 'utf8'));
    for (const [kind, type] of [
      ['esm', 'module'],
      ['cjs', 'commonjs'],
    ]) {
      const target = join(distDir, 'types', kind);
      rmSync(target, { recursive: true, force: true });
      mkdirSync(target, { recursive: true });
      writeIfChanged(join(target, 'package.json'), `${JSON.stringify({ type })}\n`);
      for (const [path, text] of files) {
        mkdirSync(dirname(join(target, path)), { recursive: true });
        writeIfChanged(join(target, path), text);
      }
    }
    await emitClientTypes(join(folder, 'client'));
    return `${files.size} declarations of ${relative(root, fulmarSources)}/app`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A client's hosts have no types of Node: it is compiled as they would. */
async function emitClientTypes(folder) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'tsconfig.json');
  const compilerOptions = { declaration: true, emitDeclarationOnly: true, noEmit: false, outDir: folder, rootDir: dirname(clientFolder) };
  writeFileSync(
    file,
    JSON.stringify({ extends: join(clientFolder, 'tsconfig.json'), compilerOptions, include: [join(clientFolder, 'src')] }),
  );
  const { code, output } = await capture(process.execPath, [join(root, 'node_modules', '.bin', 'tsc'), '-p', file], { cwd: clientFolder });
  if (code !== 0) throw new Failure(`the client's types could not be made:\n${output}`);
  const made = join(folder, 'client', 'src');
  const target = join(distDir, 'types', 'esm', 'client');
  mkdirSync(target, { recursive: true });
  for (const [path, text] of reachable(
    ['index', ...clientParts].map((entry) => `${entry}.d.ts`),
    (name) => readFileSync(join(made, name), 'utf8'),
  ))
    writeIfChanged(join(target, path), text);
}
