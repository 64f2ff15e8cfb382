/**
 * Bundles an application for the native host: one script, or one ES module where the application awaits at its top level.
 */
import type { OutputChunk } from 'rolldown';
import { CliError } from '../../errors.ts';
import { formatOf } from '../../file-types.ts';
import { shiftMap, type SourceMap } from '../../source-map.ts';
import type { Asset } from '../assets.ts';
import { runBundler } from '../bundler.ts';
import { Findings } from '../problems.ts';
import { placeOf, type Project, shown } from '../project.ts';
import { toStackMap } from './stack-map.ts';
import { nativeTarget, REQUIRE } from './target.ts';

export interface NativeBundleInput {
  readonly project: Project;
  readonly binFile: string;
  readonly alias: boolean;
  readonly minify: boolean;
  readonly sourcemap: boolean;
  readonly allowMissing: boolean;
  readonly assets: readonly Asset[];
  readonly required: ReadonlyMap<string, string>;
  /** Where the application lies when it runs; `undefined`: in the executable's folder. */
  readonly root?: string | undefined;
  readonly drainTimeoutMs?: number | undefined;
  /** Has the runtime a module of Node's of this name? */
  readonly has: (name: string) => boolean;
}

export interface NativeBundle {
  /** A CommonJS module's code, or an ES module's without imports. */
  readonly kind: 'function' | 'module';
  readonly code: string;
  /** Where its code comes from, when that was asked for; see `stack-map.ts`. */
  readonly map: string | undefined;
  readonly notes: readonly string[];
  readonly modules: number;
  /** The sources it was made of. */
  readonly files: readonly string[];
}

/** Where bundles find what the runtime prepared for them (`src/native/application.ts`). */
const SCOPE = 'globalThis[Symbol.for("fulmar.bundle")]';

export async function bundleNative(input: NativeBundleInput): Promise<NativeBundle> {
  const findings = new Findings(input.project, 'native');
  const { chunk, kind } = await bundleEither(input, findings);
  const map = chunk.map as SourceMap | null;
  return {
    kind,
    // A line of its own for the function that the runtime wraps around it: columns stay.
    code: `\n${chunk.code}`,
    map: map === null ? undefined : toStackMap(shiftMap(map, 1), input.project, input.project.root),
    notes: findings.settle(input.allowMissing),
    modules: chunk.moduleIds.length,
    files: chunk.moduleIds.filter((id) => !id.startsWith('\0')),
  };
}

/** Only the bundler knows whether a module that is reached awaits at its top level: then it refuses to make a script. */
async function bundleEither(input: NativeBundleInput, findings: Findings): Promise<{ chunk: OutputChunk; kind: NativeBundle['kind'] }> {
  try {
    return { chunk: await bundle(input, findings, 'cjs'), kind: 'function' };
  } catch (error) {
    if (!awaitsAtTopLevel(error)) throw error;
    return { chunk: await bundle(input, findings, 'esm'), kind: 'module' };
  }
}

function awaitsAtTopLevel(error: unknown): boolean {
  const errors = ((error as CliError).cause as { errors?: readonly { code?: string }[] } | undefined)?.errors ?? [];
  return errors.some(({ code }) => code === 'INVALID_TLA_FORMAT');
}

function bundle(input: NativeBundleInput, findings: Findings, format: 'cjs' | 'esm'): Promise<OutputChunk> {
  const { project } = input;
  // CommonJS is sloppy where it does not say otherwise; ES modules are strict.
  const isStrict = formatOf(project.entry) === 'module';
  let names: Readonly<Record<string, string>> = {};
  return runBundler({
    ...input,
    findings,
    target: nativeTarget({ has: input.has, isStrict, onUnusable: (name) => findings.unusable(name) }),
    boot: bootSource(input),
    onEntry: (file) => findings.note(`starts a thread or process with ${shown(file)}, which executables do not carry: that call will fail`),
    output: (resolved) => {
      names = resolved;
      return {
        format,
        dir: project.root,
        exports: 'named',
        sourcemap: input.sourcemap ? 'hidden' : false,
        banner: () => `${isStrict ? '"use strict";' : ''}const ${REQUIRE}=${SCOPE}.require,$fulmarResolved=${JSON.stringify(names)};`,
      };
    },
  });
}

/** The first module: names that the application may compute while it runs. */
function bootSource({ project, required, root, drainTimeoutMs }: NativeBundleInput): string {
  const loaders = [...required].map(([name, target]) => `${JSON.stringify(name)}: () => require(${JSON.stringify(target)})`);
  return `${SCOPE}.boot({
  main: ${JSON.stringify(placeOf(project.entry, project))},
  root: ${JSON.stringify(root)},
  drainTimeoutMs: ${drainTimeoutMs},
  loaders: {${loaders.join(', ')}},
  resolved: $fulmarResolved,
});
`;
}
