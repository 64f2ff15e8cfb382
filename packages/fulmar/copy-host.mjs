// A copy of each file of `src/host` in each module that imports it: a chunk that all entries share would be one more file for every start to load.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const MARK = '?for=';
const sources = join(dirname(fileURLToPath(import.meta.url)), 'src');
/** Names the copy; no path of this machine comes into a bundle. */
const nameOf = (importer) => relative(sources, importer).replaceAll(/\W+/g, '-');

/** Plugin of both bundles; before others that look at who imports what. */
export const copyHost = {
  name: 'copy-host',
  resolveId: {
    filter: { id: /\/host\/[\w-]+\.ts$/ },
    handler: (id, importer) => `${join(dirname(importer.replace(/\?.*$/, '')), id)}${MARK}${nameOf(importer)}`,
  },
  load: {
    filter: { id: /\/host\/[\w-]+\.ts\?for=/ },
    handler: (id) => ({ code: readFileSync(id.slice(0, id.indexOf(MARK)), 'utf8'), moduleType: 'ts' }),
  },
};
