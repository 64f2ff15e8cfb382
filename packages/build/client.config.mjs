/**
 * The client of RPC, for every host that has `fetch`: one ES module, `dist/client.mjs`, and one for each of its parts. None of them
 * imports anything, another of them neither: that would be an error of the build. Where two have the same lines, they are a page's bytes
 * only if it uses both.
 */
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { clientFolder, clientParts, fulmarFolder } from './folders.mjs';

const sources = { client: 'index.ts', ...Object.fromEntries(clientParts.map((name) => [`client-${name}`, `${name}.ts`])) };

export default Object.entries(sources).map(([name, file]) =>
  defineConfig({
    cwd: clientFolder,
    input: { [name]: join(clientFolder, 'src', file) },
    platform: 'neutral',
    output: {
      dir: join(fulmarFolder, 'dist'),
      format: 'esm',
      sourcemap: true,
      minify: false,
      comments: { jsdoc: false, annotation: true, legal: true },
      entryFileNames: '[name].mjs',
    },
  }),
);
