/** `readable-stream` for QuickJS: what it needs beside its streams is ours, or a module of the host. */
import { expectAll } from './met.mjs';

/** End of a specifier → export of `stream/parts.later.ts`. */
const PARTS = {
  'ours/errors': 'errors',
  'ours/util': 'util',
  './state': 'state',
  'shims/process': 'process',
  '/validators': 'validators',
  'string_decoder/': 'stringDecoder',
};
const MARK = '\0stream-part:';

/** @param {string} file the name in the host of `stream/parts.later.ts` */
export function readableStream(file) {
  const met = expectAll('readable-stream', [...Object.keys(PARTS), './duplexify']);
  return {
    name: 'readable-stream',
    resolveId(id, importer) {
      if (!importer?.includes('/readable-stream/lib/')) return null;
      if (id === 'buffer' || id === 'events') return { id: `node:${id}`, external: true };
      const isDuplexify = id === './duplexify' && importer.endsWith('/duplex.js'); // `Duplex.from` is ours.
      const part = isDuplexify ? id : Object.keys(PARTS).find((end) => id.endsWith(end));
      if (part === undefined) return null;
      met.meet(part);
      return `${MARK}${isDuplexify ? 'process' : PARTS[part]}`;
    },
    // Loaded by name: what CommonJS requires of our modules would give each of them a function to run it and
    // a getter for each export.
    load(id) {
      if (!id.startsWith(MARK)) return null;
      return `module.exports = require('fulmar:later')('${file}').${id.slice(MARK.length)};`;
    },
    generateBundle: () => met.check(),
  };
}
