/**
 * The text of one module as it goes into a bundle: compiled as `fulmar run` compiles it, examined, rewritten
 * where that is needed.
 *
 * Reads sources, writes nothing.
 */
import { readFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { formatOf, isCompiled } from '../../../fulmar/src/launch/compile/file-types.ts';
import type { SourceMap } from '../../../fulmar/src/launch/compile/source-map.ts';
import { transpile } from '../../../fulmar/src/launch/compile/transpile.ts';
import { tsconfigOf } from '../../../fulmar/src/launch/compile/tsconfig.ts';
import { compileTypes } from '../../../fulmar/src/launch/compile/types.ts';
import { placeOf, type Project } from './project.ts';
import { headOf, isStrict, scan, type Scanned } from './scan.ts';
import { globalInSource } from '../../../fulmar/src/host/globals.ts';

export interface BundleSource extends Scanned {
  /**
   * A CommonJS module that does not say `use strict`: code that a bundle of ES modules cannot hold
   * (`sloppy.ts`).
   */
  readonly isSloppy: boolean;
  readonly isCommonJs: boolean;
  readonly place: string;
  readonly map: SourceMap | null;
}

type Parse = (code: string, options: { lang: 'js' | 'jsx'; sourceType: 'module' | 'commonjs'; preserveParens: boolean }) => unknown;

const scripts: ReadonlySet<string> = new Set(['.js', '.cjs', '.mjs', '']);
const inlineMap = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/;
const moduleDeclaration = /^(?:Import|Export)\w*Declaration$/;

/** `undefined`: no JavaScript; the bundler reads it by itself. */
export function readSource(file: string, project: Project, parse: Parse, cliFile: string): BundleSource | undefined {
  if (file.startsWith(project.ownFolder)) return undefined;
  const compiles = isCompiled(file);
  if (!compiles && !scripts.has(extname(file))) return undefined;
  const text = readFileSync(file, 'utf8');
  const place = placeOf(file, project);
  const isEntry = file === project.entry;
  const compiled = compiles ? compile(file, text, { place, isEntry }, cliFile) : { code: text, map: null };
  let isParsed = false;
  let isScript = formatOf(file) !== 'module';
  const parseAny = (code: string): unknown => {
    const { program, isModule } = parseEither(parse, code, formatOf(file) === 'module');
    isScript = !isModule && isScript;
    isParsed = true;
    return program;
  };
  const isStrictScript = isStrict(headOf(compiled.code));
  const isSloppy = (): boolean => isScript && !isStrictScript;
  const scanned = scan({ code: compiled.code, place, isEntry, parse: parseAny, isCommonJs: () => isScript, isSloppy });
  // What holds nothing of interest was not parsed.
  if (isScript && !isParsed && /\b(?:import|export)\b/.test(scanned.code)) parseAny(scanned.code);
  return { ...scanned, map: compiled.map, isSloppy: isSloppy(), isCommonJs: isScript, place };
}

function parseEither(parse: Parse, code: string, isModule: boolean): { program: unknown; isModule: boolean } {
  const kinds = isModule ? (['module'] as const) : (['commonjs', 'module'] as const);
  let failure: unknown;
  for (const sourceType of kinds) {
    try {
      const program = parse(code, { lang: 'js', sourceType, preserveParens: false }) as { body: { type: string }[] };
      return { program, isModule: program.body.some(({ type }) => moduleDeclaration.test(type)) };
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** Compiles; what became CommonJS asks for its imports by `require` calls that the bundler can see. */
function compile(
  file: string,
  text: string,
  { place, isEntry }: { place: string; isEntry: boolean },
  cliFile: string,
): { code: string; map: SourceMap | null } {
  // Not from a cache: a build is rare, and reads everything anew.
  const source = compileTypes(file, text, cliFile, () => null);
  const { code } = transpile(file, source, formatOf(file), tsconfigOf(dirname(file)), cliFile);
  const found = inlineMap.exec(code);
  const map = found === null ? null : (JSON.parse(Buffer.from(found[1] ?? '', 'base64').toString()) as SourceMap);
  const plain = found === null ? code : code.slice(0, found.index + 1);
  const scope = `${globalInSource('fulmar.bundle')}.api.scopeOf(exports,${JSON.stringify(place)},${isEntry})`;
  return {
    code: plain
      .replace(/globalThis\[Symbol\.for\("fulmar\.commonjs"\)\]\(require,exports,__filename(?:,\(name\)=>import\(name\))?\)/, () => scope)
      .replaceAll(/__vite_ssr_import__\(("(?:[^"\\]|\\.)*")/g, '__vite_ssr_import__(require($1)')
      .replaceAll('__vite_ssr_dynamic_import__(', 'import('),
    map,
  };
}
