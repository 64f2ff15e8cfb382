/**
 * TypeScript without a compiler: Node strips the types of a source, for what that is enough for.
 *
 * Stands in for `../compile/transpile.ts` where `oxc-transform` is not installed, on Node 22.13 and later.
 * Reads no `tsconfig.json`; what cannot be stripped is told, with what to install.
 */
import { extname, relative } from 'node:path';
import { hasModuleSyntax } from '../compile/commonjs.ts';
import { notInstalled } from '../installed/companion-errors.ts';
import { type CliError, toSyntaxError } from '../errors.ts';
import type { ModuleFormat } from '../compile/file-types.ts';
import { tell } from '../terminal/tell.ts';

type Strip = (source: string, options: { mode: 'strip' }) => string;

/** A decorator at the start of a line, as they are written … */
const decorator = /^[ \t]*@[A-Za-z_$]/m;
/** … and not in a text or a comment: a style sheet in a template begins lines so as well. */
const textOrComment = /\/\*[^]*?\*\/|\/\/.*|`(?:\\[^]|[^`\\])*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

let isTold = false;

/**
 * Strips `source`. CommonJS with `import` and `export` becomes an ES module, as Node takes it. `bundle`: a
 * file of our bundles.
 */
export function stripTypes(file: string, source: string, wanted: ModuleFormat, bundle: string): { code: string; format: ModuleFormat } {
  const { stripTypeScriptTypes: strip } = process.getBuiltinModule('node:module') as { stripTypeScriptTypes?: Strip };
  const name = relative(process.cwd(), file) || file;
  if (strip === undefined || extname(file).endsWith('x')) throw notInstalled('oxc-transform', `to compile ${name}, Fulmar needs`, bundle);
  const code = stripOne(strip, source, (what) => tooMuch(name, what, bundle), file);
  if (decorator.test(code) && decorator.test(code.replaceAll(textOrComment, ''))) throw tooMuch(name, 'decorators', bundle);
  if (!isTold) {
    isTold = true;
    const { message } = notInstalled('oxc-transform', 'for all of TypeScript, and tsconfig.json, Fulmar needs', bundle);
    tell(`types are stripped by Node: ${message}`);
  }
  return { code, format: wanted === 'commonjs' && hasModuleSyntax(code) ? 'module' : wanted };
}

function stripOne(strip: Strip, source: string, toError: (what: string) => CliError, file: string): string {
  try {
    return strip(source, { mode: 'strip' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') throw toError(message.split('\n', 1)[0] ?? '');
    if (code === 'ERR_INVALID_TYPESCRIPT_SYNTAX') throw toSyntaxError(`cannot compile ${file}: ${message}`);
    throw error;
  }
}

function tooMuch(name: string, what: string, bundle: string): CliError {
  return notInstalled('oxc-transform', `${name} has more than Node can strip (${what}): Fulmar needs`, bundle);
}
