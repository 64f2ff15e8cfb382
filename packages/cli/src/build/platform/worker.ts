/**
 * One module for Cloudflare's workers: the application, what it imports, and of Fulmar what needs nothing of
 * Node's. What a worker cannot have is named, with the file and line that asks for it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import type { BundleInput } from '../bundle.ts';
import { runBundler } from '../bundler.ts';
import { FoundFiles } from '../found-files.ts';
import { Findings } from '../problems.ts';
import { putInPlace } from '../output.ts';
import { shown } from '../project.ts';
import type { Target } from '../target.ts';
import { VIRTUAL } from '../plugin.ts';
import { toInlineComment } from '../../../../fulmar/src/launch/compile/source-map.ts';
import { globalInSource } from '../../../../fulmar/src/host/globals.ts';
import { CommandError } from '../../errors.ts';
import type { PlatformBuilt } from './index.ts';

const SCOPE = globalInSource('fulmar.bundle');
/** The bundler's own helpers make a `require` with `node:module`, for what it has not bundled. */
const BUNDLER_HELPERS = '\0rolldown/';
const NODE_REQUIRE = 'export const createRequire = () => (id) => process.getBuiltinModule(id);';
const NO_REQUIRE =
  "export const createRequire = () => (id) => { throw new Error(id + ' was not bundled, and a worker cannot load it.'); };";

/** What of Node's Cloudflare has is there where wrangler's configuration asks for it. */
function hasNode(root: string): boolean {
  const files = ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'].map((name) => join(root, name)).filter((file) => existsSync(file));
  return files.some((file) => /^(?!\s*(?:#|\/\/)).*["']nodejs_compat["']/m.test(readFileSync(file, 'utf8')));
}

const ofAll: Pick<Target, 'compresses' | 'isStrict' | 'conditions' | 'isBuiltin'> = {
  compresses: false,
  isStrict: true,
  conditions: ['workerd', 'worker', 'browser', 'import', 'require', 'default'],
  isBuiltin: (specifier) => specifier.startsWith('node:') || specifier.startsWith('cloudflare:') || isBuiltin(specifier),
};

/** With `nodejs_compat`: Express and Koa applications, too, on the bundles for Node. */
function nodeWorkerTarget(dist: string): Target {
  return {
    ...ofAll,
    builtin(specifier, importer) {
      if (importer?.startsWith(BUNDLER_HELPERS) === true) return { id: `${VIRTUAL}create-require`, code: NODE_REQUIRE };
      return { id: specifier.includes(':') ? specifier : `node:${specifier}`, external: true };
    },
    own: (file) => ({ id: join(dist, basename(file)) }),
  };
}

/** Nothing of Node's is there; our bundles are those in `dist/edge`. */
function workerTarget(dist: string): Target {
  return {
    ...ofAll,
    builtin(specifier, importer) {
      if (specifier.startsWith('cloudflare:')) return { id: specifier, external: true };
      return importer?.startsWith(BUNDLER_HELPERS) === true ? { id: `${VIRTUAL}create-require`, code: NO_REQUIRE } : undefined;
    },
    own(file) {
      const name = basename(file).replace(/\.[cm]js$/, '.mjs');
      const edge = join(dist, 'edge', name);
      if (existsSync(edge)) return { id: edge };
      const what = `fulmar/${name.replace('.mjs', '').replace('adapters-', 'adapters/')}`;
      throw new CommandError(
        'FULMAR_CLI_BUILD_MODULES',
        `${what} needs Node, and a worker has none: an app of Fulmar's and fetch functions run there. With the flag nodejs_compat in wrangler's configuration Express and Koa applications do, too.`,
      );
    },
  };
}

export async function buildWorker(input: BundleInput & { readonly out: string; readonly dist: string }): Promise<PlatformBuilt> {
  const findings = new Findings(input.project, 'worker');
  const found = new FoundFiles(input.project, input.assets);
  const withNode = hasNode(input.project.root);
  const { chunk } = await runBundler({
    ...input,
    findings,
    found,
    target: withNode ? nodeWorkerTarget(input.dist) : workerTarget(input.dist),
    boot: bootSource(input.dist),
    onEntry: (file) => findings.note(`starts a thread or process with ${shown(file)}, which workers cannot: that call will fail`),
    // Without Node `http` is nobody's: what asks for it is told so.
    alias: withNode && input.alias,
    last: workerSource(input, withNode ? 'lib-adapters-cloudflare.cjs' : 'edge/adapters-cloudflare.mjs'),
    mapFolder: input.project.root,
    output: () => ({ format: 'esm', exports: 'named', sourcemap: input.sourcemap ? 'hidden' : false }),
  });
  if (found.assets.length > 0) findings.note('workers have no files: what is embedded is left out; use static assets of wrangler');
  const notes = findings.settle(input.allowMissing);
  const map = input.sourcemap && chunk.map ? `\n${toInlineComment(chunk.map as never)}\n` : '';
  const code = `// Made by fulmar build ${input.version}.\n${chunk.code}${map}`;
  putInPlace(input.out, (temporary) => writeFileSync(temporary, code));
  return { modules: chunk.moduleIds.length, notes, assets: [], bytes: Buffer.byteLength(code) };
}

/**
 * Handlers of other events, and classes of durable objects, stay what they are; of an app's members none is a
 * handler.
 */
function workerSource({ project, dist }: BundleInput & { readonly dist: string }, adapter: string): string {
  return `export * from ${JSON.stringify(project.entry)};
import { cloudflare } from ${JSON.stringify(join(dist, adapter))};
import { built } from ${JSON.stringify(`${VIRTUAL}boot`)};
const own = application.default;
const others = typeof own === 'object' && own !== null && own.handle === undefined ? own : {};
export default { ...others, fetch: built.handler(application, (app) => cloudflare(app).fetch) };`;
}

/** What modules in a bundle ask about themselves, as far as there is something to say. */
function bootSource(dist: string): string {
  return `import { begin } from ${JSON.stringify(join(dist, 'edge', 'build-serverless.mjs'))};
import { WorkerModules } from ${JSON.stringify(join(dist, 'edge', 'build-worker.mjs'))};
${SCOPE} ??= { api: new WorkerModules() };
export const built = begin();
`;
}
