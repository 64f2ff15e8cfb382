/**
 * A copy of each file of `src/host` in each module that imports it: a chunk that all entries share would be
 * one more file for every start to load. A file of that folder that came into a bundle in another way is an
 * error.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expectAll } from './met.mjs';

const MARK = '?for=';
const COPIED = 'an import of a file of host';

/**
 * Plugin of both bundles, before others that look at who imports what. @param {string} folder names of copies
 * are relative to it
 */
export function copyHost(folder) {
  /** Names the copy; no path of this machine comes into a bundle. */
  const nameOf = (importer) => relative(folder, importer).replaceAll(/\W+/g, '-');
  const met = expectAll('copy-host', [COPIED]);
  return {
    name: 'copy-host',
    resolveId: {
      filter: { id: /(?:\/host|^\.)\/[\w-]+\.ts$/ },
      handler(id, importer) {
        const [file, mark] = importer.split(MARK);
        const target = join(dirname(file.replace(/\?.*$/, '')), id);
        // A copy has its neighbours copied for the same module.
        if (id.includes('/host/')) return `${target}${MARK}${nameOf(importer)}`;
        return mark === undefined ? undefined : `${target}${MARK}${mark}`;
      },
    },
    load: {
      filter: { id: /\/host\/[\w-]+\.ts\?for=/ },
      handler(id) {
        met.meet(COPIED);
        return { code: readFileSync(id.slice(0, id.indexOf(MARK)), 'utf8'), moduleType: 'ts' };
      },
    },
    generateBundle(_, bundle) {
      met.check();
      const shared = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds.filter((id) => dirname(id) === join(folder, 'host')));
      const [first] = shared.filter((id) => !id.includes(MARK));
      if (first !== undefined) throw new Error(`copy-host: ${relative(folder, first)} is imported by a path that this pass does not know`);
    },
  };
}
