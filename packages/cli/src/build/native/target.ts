/**
 * The QuickJS host as a target of the bundler: the modules it has are taken from the host when they are first
 * asked for, our bundles are among them.
 */
import { isBuiltin } from 'node:module';
import { basename, extname } from 'node:path';
import { CommandError } from '../../errors.ts';
import type { Target, TargetModule } from '../target.ts';
import { adaptUndici } from './undici.ts';
import { VIRTUAL } from '../plugin.ts';

/**
 * What a bundle calls to get one of the host's modules; the build puts its definition in front of the code.
 */
export const REQUIRE = '$fulmarRequire';

/** The bundler's own helpers make a `require` with it, in ES modules. */
const BUNDLER_HELPERS = '\0rolldown/';

/** What fails wherever it is used, by the text it is used with. */
const absent: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'WebAssembly', pattern: /\bWebAssembly\s*\.\s*(?:Module|Instance|compile|instantiate|validate)/g },
  {
    what: 'vm.createContext or vm.runInNewContext',
    pattern: /(?:\bvm\d*|\brequire\((['"])(?:node:)?vm\1\))\s*\.\s*(?:createContext|runInNewContext)\s*\(/gi,
  },
];

/** Modules of which nothing that matters works: they exist for those who only look at them. */
const unusable: ReadonlySet<string> = new Set(['dgram', 'http2', 'inspector', 'repl', 'trace_events', 'worker_threads']);

export interface NativeTargetOptions {
  /** Is there a module of Node's, by its name without `node:`? */
  readonly has: (name: string) => boolean;
  /** Told of modules whose use fails. */
  readonly onUnusable: (name: string) => void;
  /** Told of a package's file that has to be changed for this host, in a version whose text is not known. */
  readonly onUnknown: (file: string) => void;
}

export function nativeTarget({ has, onUnusable, onUnknown }: NativeTargetOptions): Target {
  return {
    compresses: false,
    keepsFilesWithin: true,
    isBuiltin: (specifier) => specifier.startsWith('node:') || isBuiltin(specifier),
    builtin(specifier, importer) {
      const name = specifier.replace(/^node:/, '');
      if (name === 'module' && importer?.startsWith(BUNDLER_HELPERS)) {
        return { id: `${VIRTUAL}create-require`, code: `export const createRequire = () => ${REQUIRE};` };
      }
      if (unusable.has(name)) onUnusable(name);
      return has(name) ? fromRuntime(`node:${name}`) : undefined;
    },
    own(file) {
      const name = basename(file, extname(file));
      if (name.startsWith('adapters-')) refuseAdapter(name.slice('adapters-'.length));
      return fromRuntime(`fulmar/${name}`);
    },
    adapt: (file, code) => adaptUndici(file, code, onUnknown),
    lacks: (code) => absent.flatMap(({ what, pattern }) => firstUse(code, pattern).map((line) => ({ line, what }))),
  };
}

/** @throws CommandError always: who would call what it makes is a platform that runs Node, or one of its own */
function refuseAdapter(name: string): never {
  throw new CommandError(
    'FULMAR_CLI_BUILD_MODULES',
    `fulmar/adapters/${name} is for a platform that calls the application, and an executable listens: keep the import in a file of its own that is not built with --native.`,
  );
}

/**
 * Stands before what is in a comment, on its line. Minified code is one line: a licence and addresses in
 * strings stand before all of it.
 */
const comment = /^\s*(?:\*|\/\*)(?!.*\*\/)|(?:^|[\s;,{}()])\/\//;

/** The line of the first use that is not in a comment; nothing where there is none. */
function firstUse(code: string, pattern: RegExp): number[] {
  for (const { index } of code.matchAll(pattern)) {
    const before = code.slice(0, index).split('\n');
    if (!comment.test(before.at(-1) ?? '')) return [before.length];
  }
  return [];
}

/** A CommonJS module each, as Node's are to a bundle: an import that is never reached loads nothing. */
function fromRuntime(name: string): TargetModule {
  return { id: `${VIRTUAL}runtime:${name}`, code: `module.exports = ${REQUIRE}(${JSON.stringify(name)});` };
}
