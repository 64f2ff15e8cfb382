/**
 * The client of RPC, for every host that has `fetch`: an ES module, `dist/client.mjs`, and one of what
 * few pages send. An import of anything is an error of the build.
 */
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { clientFolder, fulmarFolder } from './folders.mjs';

export default defineConfig({
  cwd: clientFolder,
  input: {
    client: join(clientFolder, 'src', 'index.ts'),
    // Shares types with it, and no code.
    'client-parts': join(clientFolder, 'src', 'parts.ts'),
  },
  platform: 'neutral',
  output: {
    dir: join(fulmarFolder, 'dist'),
    format: 'esm',
    sourcemap: true,
    minify: false,
    comments: { jsdoc: false, annotation: true, legal: true },
    entryFileNames: '[name].mjs',
  },
});
