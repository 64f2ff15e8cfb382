/**
 * `Polyglot`: the languages by name or by a file's ending. What it gives is a lazy handle at once, whose calls give
 * promises; with `sync: true` the language is waited for, there and in calls.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guestEnding, guestEndings } from '../host/guest-files.ts';
import { nearest } from '../host/suggest.ts';
import { callerFolder } from './caller.ts';
import type { CallOptions } from './call-options.ts';
import { guests } from './guests.ts';
import { isHandle, withOptions } from './handle.ts';
import type { GuestLanguage } from './language-api.ts';
import type { EvalOptions, GuestObject, GuestValue, GuestValueNow, ImportOptions, ModuleOf } from './types.ts';

/** Options of `evalFile`. */
export interface EvalFileOptions extends Omit<EvalOptions, 'name'> {
  /** The file that a relative path is relative to, as path or URL. Default: the one that calls. */
  readonly from?: string;
}

export interface PolyglotApi {
  /** Names of the languages that there are: `'python'` … Whether one is installed is found out by its first use. */
  readonly languages: readonly string[];
  /**
   * A module: `import('./model.py')` by the file's ending, `import('python', 'numpy')` by name.
   * @throws TypeError for a language or an ending that is none; what the module throws is thrown by calls on it
   */
  import<Module extends object = GuestObject>(file: string, options?: ImportOptions): ModuleOf<Module>;
  import<Module extends object = GuestObject>(language: string, specifier: string, options?: ImportOptions): ModuleOf<Module>;
  /**
   * The value of the last expression of `code`: `await` it, or call its members.
   * @throws TypeError for a language that is none; with `sync: true` what the code throws
   */
  eval(language: string, code: string, options: EvalOptions & { readonly sync: true }): GuestValueNow;
  eval(language: string, code: string, options?: EvalOptions): GuestValue;
  /** The same for what a file holds, which is run each time. The language is that of its ending, unless it is named. */
  evalFile(file: string, options: EvalFileOptions & { readonly sync: true }): GuestValueNow;
  evalFile(file: string, options?: EvalFileOptions): GuestValue;
  evalFile(language: string, file: string, options: EvalFileOptions & { readonly sync: true }): GuestValueNow;
  evalFile(language: string, file: string, options?: EvalFileOptions): GuestValue;
}

type Words<Options> = readonly [first: string, second?: string | Options, third?: Options];

export const Polyglot: PolyglotApi = Object.freeze({
  languages: Object.freeze([...guests.keys()]),
  import: (...words: Words<ImportOptions>): never => {
    const { language, text, options } = read(words, 'import');
    if (options.sync !== true) return language.importLater(text, options) as never;
    const { from: _from, options: _own, ...call } = options;
    return waiting(language.import(text, { ...options, sync: true }), call) as never;
  },
  eval: (name: string, code: string, options: EvalOptions = {}): never => evaluate(named(name, 'eval'), code, options),
  evalFile: (...words: Words<EvalFileOptions>): never => {
    const { language, text, options } = read(words, 'evalFile');
    const { from, ...rest } = options;
    const file = text.startsWith('file:') ? fileURLToPath(text) : resolve(callerFolder(from), text);
    return evaluate(language, readFileSync(file, 'utf8'), { ...rest, name: file });
  },
});

function evaluate(language: GuestLanguage, code: string, options: EvalOptions): never {
  if (options.sync !== true) return language.evalLater(code, options) as never;
  const { locals: _locals, name: _name, ...call } = options;
  return waiting(language.eval(code, { ...options, sync: true }), call) as never;
}

/** Calls on what was waited for are waited for. */
const waiting = (value: unknown, options: CallOptions): unknown => (isHandle(value) ? withOptions(value, options) : value);

/** Who it is for, where the language may be named or is that of a file. */
function read<Options extends object>(
  [first, second, third]: Words<Options>,
  where: string,
): { readonly language: GuestLanguage; readonly text: string; readonly options: Options } {
  if (typeof second === 'string') return { language: named(first, where), text: second, options: third ?? ({} as Options) };
  return { language: languageOf(first, where), text: first, options: second ?? ({} as Options) };
}

const known = (): string => `There are: ${[...guests.keys()].join(', ')}`;

function named(name: string, where: string): GuestLanguage {
  const found = guests.get(name);
  if (found !== undefined) return found;
  if (typeof name !== 'string') throw new TypeError(`Polyglot.${where}(): the name of a language is expected. ${known()}`);
  const near = nearest(name, [...guests.keys()]);
  const advice = near === undefined ? known() : `Did you mean ${JSON.stringify(near)}? ${known()}`;
  throw new TypeError(`Polyglot.${where}(): there is no language ${JSON.stringify(name)}. ${advice}`);
}

function languageOf(file: string, where: string): GuestLanguage {
  if (typeof file !== 'string') throw new TypeError(`Polyglot.${where}(): a file is expected, or the name of a language and what of it`);
  const ending = guestEnding(file);
  if (ending !== undefined) return named(guestEndings[ending] as string, where);
  const endings = Object.entries(guestEndings)
    .filter(([, name]) => guests.has(name))
    .map(([one, name]) => `${one} (${name})`);
  const forNamed = guests.has(file)
    ? `what of ${file} is not said: Polyglot.${where}(${JSON.stringify(file)}, …)`
    : `the ending of ${JSON.stringify(file)} says no language: ${endings.join(', ')}; or name it: Polyglot.${where}('python', ${JSON.stringify(file)})`;
  throw new TypeError(`Polyglot.${where}(): ${forNamed}`);
}
