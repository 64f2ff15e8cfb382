/**
 * Makes CommonJS of a compiled source that is written with `import` and `export`, as `tsc` does with
 * `"module": "commonjs"`.
 *
 * The compiler's module-runner output (bindings already rewritten, live) is wrapped in a prelude of one line
 * that supplies what it calls. Runs when a source is compiled; the functions of the prelude run when its
 * module loads and never during a request.
 */
import type { moduleRunnerTransformSync } from 'oxc-transform';
import { types } from 'node:util';
import { joinMaps, type SourceMap } from './source-map.ts';
import { globalInSource, setGlobal } from '../../host/globals.ts';

export interface CompiledCode {
  readonly code: string;
  readonly map: SourceMap;
  /** Statements that must stand before the code, in one line. */
  readonly prelude: string;
  /** A line after the code. */
  readonly epilogue: string;
}

/**
 * Does compiled code hold an import or export declaration? The compiler prints them at the start of a line.
 */
export function hasModuleSyntax(code: string): boolean {
  return /^(?:\/\*.*?\*\/ ?)?(?:import\b(?!\s*\()|export\b)/m.test(code);
}

/** Replaced in the same width, so that columns stay: `require` has nothing to wait for. */
const importStatement = /^(const __vite_ssr_import_\d+__ = )await (?=__vite_ssr_import__\()/gm;
/**
 * In a circle an export that is not there yet is `undefined`, as `tsc` has it; metadata of decorators relies
 * on that.
 */
const exportGetter =
  /^(Object\.defineProperty\(__vite_ssr_exports__, "[^"]*", \{\n\tenumerable: true,\n\tconfigurable: true,\n\tget\(\) \{\n\t\t)return ([\w$.]+);(?=\n\t\}\n\}\);)/gm;

/** What an ES module may declare at its top, and a CommonJS one has as parameters. The compiler indents all else. */
const takenName = /^(?:const|let|class) (?:require|exports|module|__filename|__dirname)\b/m;

export function toCommonJs(file: string, code: string, map: SourceMap, transform: typeof moduleRunnerTransformSync): CompiledCode {
  const run = transform(file, code, { sourcemap: true });
  const used = (name: string): boolean => run.code.includes(name);
  const scope = ['load:__vite_ssr_import__', 'exports:__vite_ssr_exports__', 'exportAll:__vite_ssr_exportAll__'];
  const given = ['require', 'exports', '__filename'];
  if (used('__vite_ssr_dynamic_import__')) {
    scope.push('dynamic:__vite_ssr_dynamic_import__');
    given.push('(name)=>import(name)');
  }
  if (used('__vite_ssr_import_meta__')) scope.push('meta:__vite_ssr_import_meta__');
  const isBlock = takenName.test(run.code);
  return {
    code: run.code.replace(importStatement, '$1      ').replace(exportGetter, '$1try { return $2; } catch { return undefined; }'),
    map: joinMaps(run.map as SourceMap, map),
    prelude: `"use strict";const {${scope.join(',')}}=${globalInSource('fulmar.commonjs')}(${given.join(',')});${isBlock ? '{' : ''}`,
    epilogue: `${isBlock ? '}' : ''}${exportHint(run.code)}`,
  };
}

/** Never run; tells Node's scanner for `import { name } from './commonjs'` which names there are. */
function exportHint(code: string): string {
  const names = [...code.matchAll(/^(?:\/\*.*?\*\/ ?)?Object\.defineProperty\(__vite_ssr_exports__, "([\w$]+)"/gm)].map(
    (match) => match[1],
  );
  return names.length === 0 ? '' : `0 && (module.exports = { ${[...new Set(names)].map((name) => `${name}: null`).join(', ')} });`;
}

type Namespace = Record<string, unknown>;
type Require = ((name: string) => unknown) & { main?: { filename?: string } | undefined; resolve: (name: string) => string };

interface ModuleScope {
  load(name: string, meta?: { importedNames?: string[] }): unknown;
  exports: Namespace;
  exportAll(from: unknown): void;
  dynamic(name: string): Promise<unknown>;
  readonly meta: ImportMeta;
}

/**
 * What a prelude destructures: the functions that the module-runner output calls, bound to one CommonJS
 * module.
 */
export function toModuleScope(
  require: Require,
  exports: Namespace,
  filename: string,
  importNative?: (name: string) => Promise<unknown>,
): ModuleScope {
  Object.defineProperty(exports, '__esModule', { value: true });
  return {
    load: (name, meta) => toNamespace(require(name), meta?.importedNames === undefined),
    exports,
    exportAll: (from) => exportAll(exports, from as Namespace),
    dynamic: async (name) => {
      try {
        return toNamespace(require(name), true);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (importNative && (code === 'ERR_REQUIRE_ASYNC_MODULE' || code === 'ERR_REQUIRE_ESM')) return importNative(name);
        throw error;
      }
    },
    get meta() {
      return toImportMeta(require, filename);
    },
  };
}

export function installCommonJsScope(): void {
  setGlobal('fulmar.commonjs', toModuleScope);
}

function exportAll(exports: Namespace, from: Namespace): void {
  for (const key of Object.keys(from)) {
    if (key === 'default' || key === '__esModule' || Object.hasOwn(exports, key)) continue;
    Object.defineProperty(exports, key, { enumerable: true, configurable: true, get: () => from[key] });
  }
}

const namespaces = new WeakMap<object, { names?: object; whole?: object }>();

/**
 * The namespace an ES module would see: `default` is `module.exports`, unless the module says that it was one
 * itself.
 */
function toNamespace(value: unknown, whole: boolean): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return { default: value };
  if ((value as Namespace)['__esModule'] || types.isModuleNamespaceObject(value)) return value;
  let known = namespaces.get(value);
  if (known === undefined) namespaces.set(value, (known = {}));
  if (!whole) return (known.names ??= Object.create(value, { default: { value, enumerable: true } }) as object);
  return (known.whole ??= typeof value === 'function' ? toCallable(value) : toObject(value as Namespace));
}

/**
 * `import * as express` of a function that is called all the same, as `esModuleInterop: false` has it. A `then` that is not
 * its own, as handles of other languages have, would be asked for what `import()` gives.
 */
function toCallable(value: object): object {
  return new Proxy(value, {
    get(target, key) {
      if (key === 'default') return target;
      return key === 'then' && !Object.hasOwn(target, key) ? undefined : (Reflect.get(target, key) as unknown);
    },
  });
}

function toObject(value: Namespace): object {
  const namespace = {};
  for (const key of Object.keys(value)) {
    if (key !== 'default') Object.defineProperty(namespace, key, { enumerable: true, get: () => value[key] });
  }
  return Object.defineProperty(namespace, 'default', { enumerable: true, value });
}

function toImportMeta(require: Require, filename: string): ImportMeta {
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const { dirname } = process.getBuiltinModule('node:path');
  return {
    url: pathToFileURL(filename).href,
    filename,
    dirname: dirname(filename),
    main: require.main?.filename === filename,
    resolve: (name: string) => {
      const found = require.resolve(name);
      return found.includes('/') ? pathToFileURL(found).href : `node:${found.replace(/^node:/, '')}`;
    },
  } as ImportMeta;
}
