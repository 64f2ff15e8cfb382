/**
 * What a file is, by its name and its package: compiled or not, CommonJS or ES module.
 *
 * Asked while modules are resolved and loaded. Reads manifests, never sources.
 */
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

export type ModuleFormat = 'commonjs' | 'module';

/** Extensions that Fulmar compiles. */
const compiled: ReadonlySet<string> = new Set(['.ts', '.tsx', '.mts', '.cts', '.jsx']);

/** Extensions whose files TypeScript users mean when they write a relative import. */
const typescript: ReadonlySet<string> = new Set(['.ts', '.tsx', '.mts', '.cts']);

export function isCompiled(file: string): boolean {
  return compiled.has(extname(file));
}

export function isTypeScript(file: string): boolean {
  return typescript.has(extname(file));
}

/** The format Node gives a file of this name, as far as name and package tell. */
export function formatOf(file: string): ModuleFormat {
  const extension = extname(file);
  if (extension === '.mts' || extension === '.mjs') return 'module';
  if (extension === '.cts' || extension === '.cjs') return 'commonjs';
  return packageType(dirname(file));
}

const types = new Map<string, ModuleFormat>();

/**
 * The `type` of the package a folder belongs to. Kept for the process's life: one entry for each folder with
 * sources.
 */
function packageType(folder: string): ModuleFormat {
  const cached = types.get(folder);
  if (cached !== undefined) return cached;
  const parent = dirname(folder);
  const own = readType(join(folder, 'package.json'));
  const type = own ?? (parent === folder || folder.endsWith('node_modules') ? 'commonjs' : packageType(parent));
  types.set(folder, type);
  return type;
}

function readType(manifest: string): ModuleFormat | undefined {
  let text: string;
  try {
    text = readFileSync(manifest, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return (JSON.parse(text) as { type?: unknown }).type === 'module' ? 'module' : 'commonjs';
  } catch {
    // Node itself reports a broken manifest when it meets it.
    return 'commonjs';
  }
}
