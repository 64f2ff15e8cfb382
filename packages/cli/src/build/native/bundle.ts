/**
 * Bundles an application for the QuickJS host: one script, or one ES module where the application awaits at
 * its top level.
 */
import { CliError } from '../../../../fulmar/src/launch/errors.ts';
import { koaComposeStatement } from '../../../../fulmar/src/launch/modules/koa-compose.ts';
import type { SourceMap } from '../../../../fulmar/src/launch/compile/source-map.ts';
import type { Asset } from '../assets.ts';
import { type BundleInput, SCRIPTS } from '../bundle.ts';
import { mayExport, serveStatement } from '../exported.ts';
import { FoundFiles } from '../found-files.ts';
import { type BundledChunk, type BundlerOutput, runBundler } from '../bundler.ts';
import { Findings } from '../problems.ts';
import { placeOf, shown } from '../project.ts';
import { SLOPPY } from '../sloppy.ts';
import { type MappedPart, toStackMap } from './stack-map.ts';
import { nativeTarget, REQUIRE } from './target.ts';
import { globalInSource } from '../../../../fulmar/src/host/globals.ts';

export interface NativeBundleInput extends BundleInput {
  /** Where the application lies when it runs; `undefined`: in the executable's folder. */
  readonly root?: string | undefined;
  readonly drainTimeoutMs?: number | undefined;
  /** Code of the entry where its parts have to be in it. */
  readonly whole?: string | undefined;
  /** Has the host a module of Node's of this name? */
  readonly has: (name: string) => boolean;
}

export interface NativeBundle {
  /** A CommonJS module's code, or an ES module's without imports. */
  readonly kind: 'function' | 'module';
  readonly code: string;
  /** Where its code comes from, when that was asked for; see `stack-map.ts`. */
  readonly map: string | undefined;
  /** What is read and run when it is first needed. */
  readonly parts: readonly NativePart[];
  readonly notes: readonly string[];
  /** All that is embedded. */
  readonly assets: readonly Asset[];
  readonly modules: number;
  /** The sources it was made of. */
  readonly files: readonly string[];
}

export interface NativePart {
  readonly name: string;
  readonly code: string;
  readonly map: string | undefined;
}

/** Where bundles find what the host prepared for them (`launch/built/native/application.ts`). */
const SCOPE = globalInSource('fulmar.bundle');

export async function bundleNative(input: NativeBundleInput): Promise<NativeBundle> {
  const findings = new Findings(input.project, 'native');
  const found = new FoundFiles(input.project, input.assets);
  const { output, kind } = await bundleEither({ ...input, findings, found });
  const toText = (one: BundledChunk): { code: string; map: string | undefined } => {
    const { code, parts } = join(one, kind);
    return { code, map: input.sourcemap ? toStackMap(parts, input.project, input.project.root) : undefined };
  };
  const all = [output, ...output.parts].flatMap(({ chunk }) => chunk.moduleIds);
  return {
    kind,
    ...toText(output),
    parts: output.parts.map((part) => ({ name: part.chunk.fileName, ...toText(part) })),
    // Where the application runs from its folder, it finds its files there.
    assets: input.root === undefined ? found.assets : input.assets,
    notes: [...findings.settle(input.allowMissing), ...(input.root === undefined ? found.notes : [])],
    modules: all.length,
    files: all.filter((id) => !id.startsWith('\0')),
  };
}

/**
 * The script of sloppy modules, then the bundle, which is strict. The first line is left to the function that
 * the host wraps around it: columns stay. An ES module can only hold sloppy code as text.
 */
function join({ chunk, sloppy }: BundledChunk, kind: NativeBundle['kind']): { code: string; parts: MappedPart[] } {
  // What holds the bundler's helpers alone has none.
  const toParts = (map: unknown, line: number): MappedPart[] =>
    map === null || map === undefined ? [] : [{ map: map as SourceMap, line }];
  const [open, close] = kind === 'function' ? ['(function(){"use strict";\n', '\n}).call(this);'] : ['\n', ''];
  if (sloppy === undefined) return { code: `\n${open}${chunk.code}${close}`, parts: toParts(chunk.map, 2) };
  const script = `(function(){var exports={},module={exports};\n${sloppy.code}\nreturn module.exports;})()`;
  const before = `const ${SLOPPY}=${kind === 'function' ? script : `(0,eval)(${JSON.stringify(script)})`};`;
  const lines = 1 + before.split('\n').length;
  const parts = kind === 'function' ? toParts(sloppy.map, 2) : [];
  return { code: `\n${before}${open}${chunk.code}${close}`, parts: [...parts, ...toParts(chunk.map, lines)] };
}

/**
 * Only the bundler knows whether a module that is reached awaits at its top level: then it refuses to make a
 * script. An ES module has no parts: it holds all of them, each of which still runs when it is first needed.
 */
async function bundleEither(input: OneBundle): Promise<{ output: BundlerOutput; kind: NativeBundle['kind'] }> {
  try {
    return { output: await bundle(input, 'cjs'), kind: 'function' };
  } catch (error) {
    if (!awaitsAtTopLevel(error)) throw error;
    const { whole, project } = input;
    const parts = whole === undefined ? {} : { parts: [], numbered: input.parts ?? [], project: { ...project, source: whole } };
    return { output: await bundle({ ...input, ...parts }, 'esm'), kind: 'module' };
  }
}

function awaitsAtTopLevel(error: unknown): boolean {
  const errors = ((error as CliError).cause as { errors?: readonly { code?: string }[] } | undefined)?.errors ?? [];
  return errors.some(({ code }) => code === 'INVALID_TLA_FORMAT');
}

interface OneBundle extends NativeBundleInput {
  readonly findings: Findings;
  readonly found: FoundFiles;
}

function bundle(input: OneBundle, format: 'cjs' | 'esm'): Promise<BundlerOutput> {
  const { project, findings } = input;
  const sourcemap = input.sourcemap ? 'hidden' : false;
  return runBundler({
    ...input,
    target: nativeTarget({
      has: input.has,
      onUnusable: (name) => findings.unusable(name),
      onUnknown: (file) => findings.unadapted(shown(file)),
    }),
    boot: bootSource(input),
    onEntry: (file) => findings.note(`starts a thread or process with ${shown(file)}, which executables do not carry: that call will fail`),
    output: ({ resolved, standIns, scripts }) => ({
      format,
      dir: project.root,
      exports: 'named',
      sourcemap,
      entryFileNames: '[name].js',
      chunkFileNames: 'shared-[name].js',
      banner: ({ name, isEntry }) => {
        const host = `const ${REQUIRE}=${SCOPE}.require`;
        if (!isEntry || name !== 'main') return `${host};`;
        return `${host},$fulmarResolved=${JSON.stringify(resolved)},$fulmarStandIns=${JSON.stringify(standIns())},${SCRIPTS}=${JSON.stringify(scripts())};`;
      },
    }),
    mapFolder: project.root,
    ...(mayExport(project) ? { last: serveStatement } : {}),
  });
}

/** The first module: names that the application may compute while it runs. */
function bootSource({ project, version, alias, required, root, drainTimeoutMs }: NativeBundleInput): string {
  const loaders = [...required].map(([name, target]) => `${JSON.stringify(name)}: () => require(${JSON.stringify(target)})`);
  return `${alias ? koaComposeStatement(project.entry) : ''}${SCOPE}.boot({
  main: ${JSON.stringify(placeOf(project.entry, project))},
  root: ${JSON.stringify(root)},
  drainTimeoutMs: ${drainTimeoutMs},
  loaders: {${loaders.join(', ')}},
  resolved: $fulmarResolved,
  start: {version: ${JSON.stringify(version)}, packages: $fulmarStandIns},
});
`;
}
