/**
 * The nearest `tsconfig.json` of a source, with what it extends, reduced to the options that change how the
 * source runs.
 *
 * Read once for each folder, before its first source is compiled. Never checks types, never writes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { CliError } from '../errors.ts';
import { parseJsonc } from './jsonc.ts';

/**
 * The options of `compilerOptions` that are read; the rest concerns type checking or output we do not make.
 */
export interface CompilerOptions {
  readonly experimentalDecorators?: boolean;
  readonly emitDecoratorMetadata?: boolean;
  readonly strict?: boolean;
  readonly strictNullChecks?: boolean;
  readonly target?: string;
  readonly useDefineForClassFields?: boolean;
  readonly verbatimModuleSyntax?: boolean;
  readonly jsx?: string;
  readonly jsxFactory?: string;
  readonly jsxFragmentFactory?: string;
  readonly jsxImportSource?: string;
  readonly baseUrl?: string;
  readonly paths?: Readonly<Record<string, readonly string[]>>;
}

export interface Tsconfig {
  /** `undefined`: there is none, defaults apply. */
  readonly file: string | undefined;
  readonly options: CompilerOptions;
  /** The folder that `paths` are relative to. */
  readonly pathsFolder: string | undefined;
}

interface RawTsconfig {
  extends?: string | string[];
  compilerOptions?: Record<string, unknown>;
}

/** A chain of `extends` longer than this is a circle. */
const EXTENDS_DEPTH_MAX = 32;

const none: Tsconfig = { file: undefined, options: {}, pathsFolder: undefined };
const byFolder = new Map<string, Tsconfig>();

/**
 * The configuration for sources in `folder`. Throws a `CliError` when a file of it cannot be read or parsed.
 */
export function tsconfigOf(folder: string): Tsconfig {
  const cached = byFolder.get(folder);
  if (cached !== undefined) return cached;
  const file = join(folder, 'tsconfig.json');
  const parent = dirname(folder);
  let found: Tsconfig;
  if (existsSync(file)) found = { ...readTsconfig(file, 0), file };
  else found = parent === folder ? none : tsconfigOf(parent);
  byFolder.set(folder, found);
  return found;
}

function readTsconfig(file: string, depth: number): Tsconfig {
  const raw = readRaw(file);
  const folder = dirname(file);
  let merged: Tsconfig = none;
  const parents = raw.extends === undefined ? [] : [raw.extends].flat();
  if (depth >= EXTENDS_DEPTH_MAX) throw new CliError('FULMAR_CLI_TSCONFIG', `${file} extends itself`);
  for (const parent of parents) {
    const base = readTsconfig(resolveExtended(parent, file), depth + 1);
    merged = { file, options: { ...merged.options, ...base.options }, pathsFolder: base.pathsFolder ?? merged.pathsFolder };
  }
  const own = { ...raw.compilerOptions };
  if (typeof own['baseUrl'] === 'string') own['baseUrl'] = resolve(folder, own['baseUrl']);
  const options: CompilerOptions = { ...merged.options, ...own };
  const pathsFolder = options.baseUrl ?? (own['paths'] === undefined ? merged.pathsFolder : folder);
  return { file, options, pathsFolder };
}

function readRaw(file: string): RawTsconfig {
  try {
    const parsed = parseJsonc(readFileSync(file, 'utf8'));
    return parsed !== null && typeof parsed === 'object' ? (parsed as RawTsconfig) : {};
  } catch (cause) {
    throw new CliError('FULMAR_CLI_TSCONFIG', `cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
}

/** `extends` names a file (with or without `.json`) or a package's file. */
function resolveExtended(name: string, from: string): string {
  if (name.startsWith('.') || isAbsolute(name)) {
    const path = resolve(dirname(from), name);
    return path.endsWith('.json') || existsSync(path) ? path : `${path}.json`;
  }
  const require = createRequire(from);
  for (const request of [name, `${name}.json`, `${name}/tsconfig.json`]) {
    try {
      const found = require.resolve(request);
      if (found.endsWith('.json')) return found;
    } catch {
      // The next spelling may exist.
    }
  }
  throw new CliError('FULMAR_CLI_TSCONFIG', `${from} extends "${name}", which is not installed`);
}
