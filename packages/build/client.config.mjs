/**
 * The client of RPC, for every host that has `fetch`: one ES module, `dist/client.mjs`, and one with the binary form,
 * `dist/client-binary.mjs`. An import of anything is an error of the build.
 */
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { clientFolder, fulmarFolder } from './folders.mjs';

const bundleOf = (name, source) =>
  defineConfig({
    cwd: clientFolder,
    input: { [name]: join(clientFolder, 'src', source) },
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

/** Each stands alone: a page that does not want the second does not load a file for what they share. */
export default [bundleOf('client', 'index.ts'), bundleOf('client-binary', 'binary.ts')];
