// Copies what a command shares with the rest of the command line into the command's own chunk. Shared, it would become a second file that the
// start of every application has to load.
import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { expectAll } from './met.mjs';

/**
 * @param {string} cli the folder whose own files are shared
 * @param {string[]} names the folders below it that get copies
 */
export function copyIntoCommands(cli, names) {
  const commands = names.map((name) => ({ name, mark: `?${name.replace('/', '-')}`, folder: join(cli, name) + sep }));
  const marks = new RegExp(`\\?(?:${commands.map(({ mark }) => mark.slice(1)).join('|')})$`);
  const owners = expectAll('copy-into-commands', names);
  return {
    name: 'copy-into-commands',
    resolveId: {
      filter: { id: /^\.{1,2}\/[\w./-]+\.ts$/ },
      handler(id, importer) {
        const owner = commands.find(({ mark, folder }) => importer?.startsWith(folder) || importer?.endsWith(mark));
        if (owner === undefined) return undefined;
        owners.meet(owner.name);
        const file = join(dirname(importer.replace(owner.mark, '')), id);
        return dirname(file) === cli ? `${file}${owner.mark}` : undefined;
      },
    },
    load: {
      filter: { id: marks },
      handler: (id) => ({ code: readFileSync(id.slice(0, id.lastIndexOf('?')), 'utf8'), moduleType: 'ts' }),
    },
    generateBundle: () => owners.check(),
  };
}
