/**
 * From a TypeScript or JSX source to the JavaScript that Node runs, with an inline source map.
 *
 * Called by the module hooks when a source is loaded for the first time; `transpile-cache.ts` stands before
 * it. Checks no types.
 */
import { createRequire } from 'node:module';
import { extname, relative } from 'node:path';
import type { JsxOptions, OxcError, TransformOptions, TransformResult } from 'oxc-transform';
import { findCompanion } from '../installed/companion.ts';
import { type CompiledCode, hasModuleSyntax, toCommonJs } from './commonjs.ts';
import { decoratorHelpers } from './decorator-helpers.ts';
import { toSyntaxError } from '../errors.ts';
import type { ModuleFormat } from './file-types.ts';
import { joinMaps, shiftMap, type SourceMap, toInlineComment } from './source-map.ts';
import { compileStandard } from './standard-decorators.ts';
import type { SourceText } from './types.ts';
import type { CompilerOptions, Tsconfig } from './tsconfig.ts';
import { globalInSource } from '../../host/globals.ts';

export interface Transpiled {
  readonly code: string;
  /**
   * Usually the format asked for; `module` where CommonJS was asked for and the source awaits at its top
   * level.
   */
  readonly format: ModuleFormat;
}

type Compiler = typeof import('oxc-transform');

/** Targets whose class fields assign instead of define, when the tsconfig does not say. */
const assigningTarget = /^es(?:3|5|6|20(?:15|16|17|18|19|20|21))$/i;

/** `null`: it is not installed. */
let compiler: Compiler | null | undefined;

/** Compiles `source`. `from` is a file of our bundles. Throws a `SyntaxError` with a frame. */
export function transpile(file: string, source: SourceText, wanted: ModuleFormat, tsconfig: Tsconfig, from: string): Transpiled {
  if (compiler === undefined) compiler = loadCompiler(file, from);
  if (compiler === null) return strip(file, source, wanted, from);
  const options = toOptions(file, tsconfig);
  if (asksForStandardDecorators(tsconfig) && hasDecorators(compiler, file, source.code, options)) {
    const { code, map } = compileStandard(file, source.code, tsconfig, assignsFields(tsconfig.options));
    const { target: _target, assumptions: _assumptions, ...rest } = options;
    const before = source.map === undefined ? map : joinMaps(map, source.map);
    return compileWith(compiler, file, code, { wanted, options: { ...rest, lang: 'jsx' }, before });
  }
  return compileWith(compiler, file, source.code, { wanted, options, before: source.map });
}

/** Node leaves everything in its place: the map of what was put in is that of the whole. */
function strip(file: string, { code, map }: SourceText, wanted: ModuleFormat, from: string): Transpiled {
  const stripped = loadUncompiled(from).stripTypes(file, code, wanted, from);
  return map === undefined ? stripped : { ...stripped, code: `${stripped.code}\n${toInlineComment(map)}\n` };
}

function loadCompiler(file: string, from: string): Compiler | null {
  const found = findCompanion('oxc-transform', from, file);
  if (found === undefined) return null;
  const { notLoaded, unsuitable } = loadUncompiled(from);
  const problem = unsuitable('oxc-transform', found.version, from);
  if (problem !== undefined) throw problem;
  try {
    return createRequire(from)(found.file) as Compiler;
  } catch (error) {
    throw notLoaded('oxc-transform', found.file, error);
  }
}

/** What is rarely needed: a start that finds compiled sources in the cache does not load it. */
function loadUncompiled(from: string): typeof import('../uncompiled/index.ts') {
  return createRequire(from)('./cli-uncompiled.cjs') as typeof import('../uncompiled/index.ts');
}

interface Compilation {
  readonly wanted: ModuleFormat;
  readonly options: TransformOptions;
  /** Of what another compiler has made of the source. */
  readonly before: SourceMap | undefined;
}

function compileWith(compiler: Compiler, file: string, source: string, { wanted, options, before }: Compilation): Transpiled {
  let format = wanted;
  let result = compile(compiler, file, source, { ...options, sourceType: format });
  if (format === 'commonjs' && result.errors.some((error) => isTopLevelAwait(error) || isImportMeta(error))) {
    // Awaiting at the top needs an ES module; `import.meta` is allowed in one only, but can be had in
    // CommonJS.
    if (result.errors.some(isTopLevelAwait)) format = 'module';
    result = compile(compiler, file, source, { ...options, sourceType: 'module' });
  }
  failOnErrors(file, result.errors);
  const map = before === undefined ? (result.map as SourceMap) : joinMaps(result.map as SourceMap, before);
  const plain: CompiledCode = { code: result.code, map, prelude: '', epilogue: '' };
  const isCommonJs = format === 'commonjs' && (hasModuleSyntax(result.code) || result.code.includes('import.meta'));
  const compiled = isCommonJs ? toCommonJs(file, result.code, map, compiler.moduleRunnerTransformSync) : plain;
  return { code: assemble(compiled, Object.keys(result.helpersUsed).length > 0), format };
}

/** TypeScript's older ones are meant where a configuration says so, and where there is none. */
function asksForStandardDecorators({ file, options }: Tsconfig): boolean {
  return file !== undefined && options.experimentalDecorators !== true;
}

/** Standard ones, as far as the source tells: parameters have older ones only. */
function hasDecorators(oxc: Compiler, file: string, source: string, options: TransformOptions): boolean {
  if (!source.includes('@')) return false;
  const { helpersUsed } = oxc.transformSync(file, source, { ...options, sourceType: 'module', sourcemap: false });
  return 'decorate' in helpersUsed && !('decorateParam' in helpersUsed);
}

/** Compiles; a second time without lowering when that would need a helper we do not have. */
function compile(oxc: Compiler, file: string, source: string, options: TransformOptions): TransformResult {
  const result = oxc.transformSync(file, source, options);
  if (options.target === undefined || Object.keys(result.helpersUsed).every((name) => Object.hasOwn(decoratorHelpers, name))) return result;
  const { target: _target, assumptions: _assumptions, ...rest } = options;
  return oxc.transformSync(file, source, rest);
}

function assemble({ code, map, prelude, epilogue }: CompiledCode, needsHelpers: boolean): string {
  const helpers = needsHelpers ? `const babelHelpers=${globalInSource('fulmar.helpers')};` : '';
  const first = prelude + helpers;
  const body = first === '' ? code : `${first}\n${code}`;
  const ended = body.endsWith('\n') ? body : `${body}\n`;
  return `${ended}${epilogue === '' ? '' : `${epilogue}\n`}${toInlineComment(first === '' ? map : shiftMap(map, 1))}\n`;
}

function toOptions(file: string, { file: configured, options }: Tsconfig): TransformOptions {
  const assigns = assignsFields(options);
  return {
    lang: toLanguage(extname(file)),
    sourcemap: true,
    helpers: { mode: 'External' as never },
    decorator: {
      // Those of the standard are compiled before: `standard-decorators.ts`.
      legacy: true,
      emitDecoratorMetadata: options.emitDecoratorMetadata ?? configured === undefined,
      strictNullChecks: options.strictNullChecks ?? options.strict ?? true,
    },
    typescript: {
      onlyRemoveTypeImports: options.verbatimModuleSyntax ?? false,
      removeClassFieldsWithoutInitializer: assigns,
      ...(options.jsxFactory !== undefined && { jsxPragma: options.jsxFactory }),
    },
    // Fields that are assigned in the constructor exist only after they are lowered.
    ...(assigns && { target: 'es2021', assumptions: { setPublicClassFields: true } }),
    jsx: toJsx(options),
  };
}

function assignsFields({ useDefineForClassFields, target = '' }: CompilerOptions): boolean {
  return useDefineForClassFields === false || (useDefineForClassFields === undefined && assigningTarget.test(target));
}

function toLanguage(extension: string): 'jsx' | 'ts' | 'tsx' {
  return extension === '.tsx' ? 'tsx' : extension === '.jsx' ? 'jsx' : 'ts';
}

function toJsx(options: CompilerOptions): JsxOptions {
  const classic = options.jsx === 'react' || (options.jsx === undefined && options.jsxFactory !== undefined);
  return {
    runtime: classic ? 'classic' : 'automatic',
    development: options.jsx === 'react-jsxdev',
    ...(!classic && options.jsxImportSource !== undefined && { importSource: options.jsxImportSource }),
    ...(classic && options.jsxFactory !== undefined && { pragma: options.jsxFactory }),
    ...(classic && options.jsxFragmentFactory !== undefined && { pragmaFrag: options.jsxFragmentFactory }),
  };
}

function isTopLevelAwait(error: OxcError): boolean {
  return error.message.includes('`await` is only allowed within async functions');
}

function isImportMeta(error: OxcError): boolean {
  return error.message.includes('import.meta');
}

function failOnErrors(file: string, errors: readonly OxcError[]): void {
  const [error] = errors.filter(({ severity }) => String(severity) === 'Error');
  if (error === undefined) return;
  const frame = (error.codeframe ?? '').replaceAll(file, () => relative(process.cwd(), file) || file).trimEnd();
  const help = error.helpMessage === null || frame.includes(error.helpMessage) ? '' : `\n${error.helpMessage}`;
  throw toSyntaxError(`cannot compile ${file}: ${error.message}\n${frame.replace(/^\n*/, '')}${help}`);
}
