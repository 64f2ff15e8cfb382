/**
 * Copies what a chunk shares with others into the chunk: with the command line, with another framework.
 * Shared, it would become a second file that the start of every application has to load.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { expectAll } from './met.mjs';

/**
 * @param {string[]} shared folders whose files are copied, and files
 * @param {string[]} apart folders with a chunk of their own, in those or elsewhere: they get copies, and are not copied
 */
export function copyIntoChunks(shared, apart) {
  const owners = apart.map((folder) => ({ mark: `?${basename(folder)}`, folder: folder + sep }));
  const marks = new RegExp(`\\?(?:${owners.map(({ mark }) => mark.slice(1)).join('|')})$`);
  const met = expectAll('copy-into-chunks', apart);
  const isCopied = (file) =>
    shared.some((place) => file === place || file.startsWith(place + sep)) && !owners.some(({ folder }) => file.startsWith(folder));
  return {
    name: 'copy-into-chunks',
    resolveId: {
      filter: { id: /^\.{1,2}\/[\w./-]+\.ts$/ },
      handler(id, importer) {
        const owner = owners.find(({ mark, folder }) => importer?.startsWith(folder) || importer?.endsWith(mark));
        if (owner === undefined) return undefined;
        met.meet(owner.folder.slice(0, -sep.length));
        const file = join(dirname(importer.replace(owner.mark, '')), id);
        return isCopied(file) ? `${file}${owner.mark}` : undefined;
      },
    },
    load: {
      filter: { id: marks },
      handler: (id) => ({ code: readFileSync(id.slice(0, id.lastIndexOf('?')), 'utf8'), moduleType: 'ts' }),
    },
    generateBundle: () => met.check(),
  };
}
