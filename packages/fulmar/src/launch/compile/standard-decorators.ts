/**
 * Standard (TC39) decorators, which our compiler does not know: the application's own TypeScript compiles a
 * source that uses them, to what our compiler then takes further.
 *
 * Called for sources with decorators below a `tsconfig.json` that does not ask for TypeScript's older ones.
 * Loaded code: `typescript`.
 */
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { CliError } from '../errors.ts';
import type { SourceMap } from './source-map.ts';
import type { Tsconfig } from './tsconfig.ts';

/** The part of TypeScript's API that is used; version 7 has none. */
interface TypeScript {
  transpileModule?(source: string, options: object): { outputText: string; sourceMapText?: string };
}

/** TypeScript's numbers for `ScriptTarget.ES2022`, `ModuleKind.ESNext`, `JsxEmit.Preserve`. */
const ES2022 = 9;
const ESNEXT = 99;
const PRESERVE = 1;

/**
 * Throws a `CliError` where there is no TypeScript to compile them. `assigns`: fields are assigned, not
 * defined.
 */
export function compileStandard(file: string, source: string, tsconfig: Tsconfig, assigns: boolean): { code: string; map: SourceMap } {
  const compiler = findTypeScript(file);
  if (compiler?.transpileModule === undefined) {
    throw new CliError(
      'FULMAR_CLI_TSCONFIG',
      `${relative(process.cwd(), file) || file} has standard decorators, as ${tsconfig.file} does not say "experimentalDecorators": true. ` +
        "Say it there, if they are TypeScript's older ones, as those of most frameworks are; to use standard ones, run `npm install typescript@6`, which compiles them.",
    );
  }
  const { verbatimModuleSyntax = false } = tsconfig.options;
  const { outputText, sourceMapText = '' } = compiler.transpileModule(source, {
    fileName: file,
    compilerOptions: {
      target: ES2022,
      module: ESNEXT,
      jsx: PRESERVE,
      sourceMap: true,
      verbatimModuleSyntax,
      useDefineForClassFields: !assigns,
    },
  });
  return { code: outputText.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'), map: JSON.parse(sourceMapText) as SourceMap };
}

function findTypeScript(file: string): TypeScript | undefined {
  try {
    return createRequire(file)('typescript') as TypeScript;
  } catch {
    return undefined;
  }
}
