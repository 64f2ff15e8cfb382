/**
 * The runtimes of edge platforms, from `tests/runtimes`: the workers' own (`workerd`, through miniflare),
 * Deno and Bun. Where one is not installed, its tests are skipped and say what is missing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const folder = join(root, 'tests', 'runtimes');
/** What is published for hosts without Node. */
export const edge = join(root, 'packages', 'fulmar', 'dist', 'edge');
/** Where `fulmar` is found from. */
export const packages = join(root, 'node_modules');

const binaries: Readonly<Record<'deno' | 'bun', Readonly<Record<string, string>>>> = {
  deno: { x64: '@deno/linux-x64-glibc/deno', arm64: '@deno/linux-arm64-glibc/deno' },
  bun: { x64: '@oven/bun-linux-x64/bin/bun', arm64: '@oven/bun-linux-aarch64/bin/bun' },
};

export interface Found {
  readonly file: string;
  /** For a test's `skip`. */
  readonly missing: string | false;
}

export function runtime(name: 'deno' | 'bun'): Found {
  const path = process.platform === 'linux' ? binaries[name][process.arch] : undefined;
  const file = path === undefined ? '' : join(folder, 'node_modules', path);
  return { file, missing: existsSync(file) ? false : `${name} is not installed in tests/runtimes` };
}

interface Worker {
  readonly ready: Promise<URL>;
  dispatchFetch(url: string, init?: object): Promise<Response>;
  dispose(): Promise<void>;
}

type WorkerModule = { readonly type: 'ESModule'; readonly path: string; readonly contents: string };

/** `undefined`: not installed. */
export function workers(): ((modules: readonly WorkerModule[], bindings?: object, flags?: readonly string[]) => Worker) | undefined {
  const require = createRequire(join(folder, 'package.json'));
  let Miniflare: new (options: object) => Worker;
  try {
    ({ Miniflare } = require('miniflare') as { Miniflare: typeof Miniflare });
  } catch {
    return undefined;
  }
  return (modules, bindings = {}, flags = []) =>
    new Miniflare({
      modules,
      bindings,
      compatibilityDate: '2026-04-01',
      compatibilityFlags: flags,
      modulesRoot: dirname(modules[0]?.path ?? edge),
    });
}

export const edgeModule = (name: string): WorkerModule => ({
  type: 'ESModule',
  path: join(edge, name),
  contents: readFileSync(join(edge, name), 'utf8'),
});
