/**
 * The typed app, its middleware and adapters for hosts that have nothing of Node (`workerd`, Vercel's edge
 * runtime, and for types browsers): ES modules in `dist/edge`, which `exports` of package.json names by those hosts' conditions. An
 * import of Node's is an error of the build.
 */
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { fulmarFolder, fulmarSources } from './folders.mjs';
import { inlineFormat } from './passes/inline-format.mjs';
import { leaveOutNode } from './passes/leave-out-node.mjs';

/** Of Node they have at most `path.extname()`. */
const librariesWithoutNode = ['accepts', 'proxy-addr', 'type-is'];

/** Adapters of platforms that have such hosts. */
const adapters = ['cloudflare', 'netlify', 'vercel'];

export default defineConfig({
  cwd: fulmarFolder,
  input: {
    app: join(fulmarSources, 'app', 'index.ts'),
    middleware: join(fulmarSources, 'app', 'middleware', 'index.ts'),
    rpc: join(fulmarSources, 'rpc', 'index.ts'),
    types: join(fulmarSources, 'typed', 'index.ts'),
    'build-serverless': join(fulmarSources, 'adapters', 'built', 'index.ts'),
    'build-worker': join(fulmarSources, 'launch', 'built', 'worker.ts'),
    ...Object.fromEntries(adapters.map((name) => [`adapters-${name}`, join(fulmarSources, 'adapters', name, 'index.ts')])),
  },
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'], alias: { path: join(import.meta.dirname, 'edge', 'path.mjs') } },
  plugins: [inlineFormat(join(fulmarSources, 'exchange', 'format.ts')), leaveOutNode(librariesWithoutNode)],
  optimization: { inlineConst: { mode: 'all', pass: 2 } },
  output: {
    dir: join(fulmarFolder, 'dist', 'edge'),
    format: 'esm',
    sourcemap: true,
    minify: false,
    comments: { jsdoc: false, annotation: true, legal: true },
    entryFileNames: '[name].mjs',
    chunkFileNames: 'shared-[name].mjs',
  },
});
