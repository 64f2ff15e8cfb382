// `src/host/globals.ts` in each module that imports it: a chunk that all entries share would be one more file for every start to load.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MARK = '?for=';

/** Plugin of both bundles; before others that look at who imports what. */
export const copyGlobals = {
  name: 'copy-globals',
  resolveId: {
    filter: { id: /\/host\/globals\.ts$/ },
    handler: (id, importer) => `${join(dirname(importer.replace(/\?.*$/, '')), id)}${MARK}${importer.replaceAll(/\W/g, '-')}`,
  },
  load: {
    filter: { id: /\/host\/globals\.ts\?for=/ },
    handler: (id) => ({ code: readFileSync(id.slice(0, id.indexOf(MARK)), 'utf8'), moduleType: 'ts' }),
  },
};
