/**
 * Sources that use types at run time (`fulmar/types`; `rpc()` and `middleware()` of `fulmar/rpc`): `fulmar-compiler`, found from the application, puts the
 * code for them into the source, before its types are taken away.
 *
 * Stands before `transpile.ts`. Loads no TypeScript for a source that was compiled before (the compiler keeps
 * what it made), and nothing at all for one that uses none.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CliError, toSyntaxError } from '../errors.ts';
import { findCompanion } from '../installed/companion.ts';
import { isTypeScript } from './file-types.ts';
import { readGlobal } from '../../host/globals.ts';
import { WATCH_VARIABLE } from '../settings.ts';
import type { SourceMap } from './source-map.ts';

/** A source on its way through compilers. */
export interface SourceText {
  readonly code: string;
  /** Back to the file; `undefined`: it is as the file has it. */
  readonly map: SourceMap | undefined;
}

interface TypesCompiler {
  compile(file: string, text: string, cache: string | null): (SourceText & { readonly files: readonly string[] }) | undefined;
  /** Compilers before it have none. */
  prepare?(file: string, text: string): void;
}

/** An import of values. What it names is looked at; comments in it are not expected. */
const imported = /\bimport\s+(?!type\b)([\w$\s{},*]*?)\s*from\s*['"]fulmar\/(?:types|rpc)['"]/g;
const compiledName =
  /(?:^|[{,])\s*(?:validate|assert|errors|parse|stringify|encode|decode|schemaOf|schema|sample|route|typed|rpc|middleware)\b/;

let compiler: TypesCompiler | undefined;

/** The source with code for its types. `from`: a file of our bundles. Throws a `SyntaxError` for types without a form. */
export function compileTypes(file: string, code: string, from: string, cache: () => string | null): SourceText {
  if (!isTypeScript(file) || !usesTypes(code)) return { code, map: undefined };
  // An API may have schemas for all that it takes; one that has none is told so by `rpc()`.
  if (compiler === undefined && !code.includes('fulmar/types') && findCompanion('fulmar-compiler', from, file) === undefined)
    return { code, map: undefined };
  compiler ??= loadCompiler(file, from);
  try {
    const made = compiler.compile(file, code, cache());
    if (made === undefined) return { code, map: undefined };
    // Files of types alone are loaded by nobody: `--watch` hears of them from here.
    if (process.env[WATCH_VARIABLE] !== undefined) process.send?.({ 'watch:require': made.files });
    const follow = readGlobal('fulmar.type-files');
    follow?.(file, made.files);
    if (follow !== undefined) prepareSoon(file, code);
    return made;
  } catch (error) {
    // Where it is wrong stands in the text; our stack says nothing.
    if ((error as NodeJS.ErrnoException).code === 'FULMAR_TYPES') throw toSyntaxError((error as Error).message);
    throw error;
  }
}

/** Behind the first requests of a start. */
const PREPARE_AFTER_MS = 2_000;
let isPrepared = false;

/**
 * Of a process that reloads: what was kept from before needed no TypeScript, and the first file that is saved would wait
 * for it, a second and more.
 */
function prepareSoon(file: string, code: string): void {
  if (isPrepared) return;
  isPrepared = true;
  setTimeout(() => compiler?.prepare?.(file, code), PREPARE_AFTER_MS).unref();
}

/** Answers for files that exist; as many are kept as a program has sources. */
const known = new Map<string, boolean>();

/** For processes whose sources others compile: does this one need us? */
export function fileUsesTypes(file: string): boolean {
  let uses = known.get(file);
  if (uses === undefined) known.set(file, (uses = isTypeScript(file) && existsSync(file) && usesTypes(readFileSync(file, 'utf8'))));
  return uses;
}

function usesTypes(code: string): boolean {
  return (
    /fulmar\/(?:types|rpc)/.test(code) &&
    [...code.matchAll(imported)].some(([, names = '']) => names.includes('*') || compiledName.test(names))
  );
}

function loadCompiler(file: string, from: string): TypesCompiler {
  const { notInstalled, notLoaded, unsuitable } = createRequire(from)('./cli-uncompiled.cjs') as typeof import('../uncompiled/index.ts');
  const found = findCompanion('fulmar-compiler', from, file);
  if (found === undefined) throw notInstalled('fulmar-compiler', `for the types that ${file} uses at run time, Fulmar needs`, from);
  const problem = unsuitable('fulmar-compiler', found.version, from);
  if (problem !== undefined) throw problem;
  try {
    return createRequire(from)(found.file) as TypesCompiler;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw notLoaded('fulmar-compiler', found.file, error);
  }
}
