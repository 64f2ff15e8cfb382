/**
 * A copy of each file of `src/host` in each module that imports it: a chunk that all entries share would be one more file for every start to load.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const MARK = '?for=';

/** Plugin of both bundles, before others that look at who imports what. @param {string} folder names of copies are relative to it */
export function copyHost(folder) {
  /** Names the copy; no path of this machine comes into a bundle. */
  const nameOf = (importer) => relative(folder, importer).replaceAll(/\W+/g, '-');
  return {
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
}
