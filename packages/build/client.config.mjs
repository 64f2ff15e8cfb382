/**
 * The client of RPC, for every host that has `fetch`: one ES module, `dist/client.mjs`. An import of anything
 * is an error of the build.
 */
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { clientFolder, fulmarFolder } from './folders.mjs';

export default defineConfig({
  cwd: clientFolder,
  input: { client: join(clientFolder, 'src', 'index.ts') },
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
