// How the sources become what is published: CommonJS with shared chunks, so that `import` and `require()` meet one instance.
// `lib-http` and `lib-express` are the modules themselves; the thin `http.cjs`, `http.mjs` … that applications import are written
// by `scripts/lib/bundle.mjs`. Files stay flat in `dist`, next to the addon.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

const here = dirname(fileURLToPath(import.meta.url));

/** Output name → source. A file that is loaded by path would be an entry of its own. */
const entries = {
  'lib-http': 'src/http/index.ts',
  'lib-express': 'src/express/index.ts',
  cli: 'src/cli/index.ts',
};

export default defineConfig({
  cwd: here,
  input: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(here, file)))),
  platform: 'node',
  external: [/^node:/, 'oxc-transform', /\.node$/],
  output: {
    dir: join(here, 'dist'),
    format: 'cjs',
    exports: 'named',
    sourcemap: true,
    minify: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'shared-[name].cjs',
  },
});
