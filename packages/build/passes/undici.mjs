/**
 * undici's `fetch` for QuickJS: smaller, sending with our own client, and without what V8's collector alone
 * makes right.
 */
import { join } from 'node:path';
import { expectAll } from './met.mjs';

/** What undici's modules get instead of what they ask for. */
const REPLACED = {
  'node:assert': 'undici-assert.cjs',
  'node:zlib': 'undici-zlib.ts',
  '/global': 'undici-global.ts',
  '/util/runtime-features': 'undici-runtime-features.ts',
};

/**
 * QuickJS frees an object with its last reference. undici holds by weak references what V8 keeps until the
 * end of the turn or until its collector comes by: the response that is being given back, and the body of a
 * response that nobody holds any more.
 */
const CHANGES = {
  'fetch/index.js': [
    // Node names itself, not the package it has it from.
    [
      "const defaultUserAgent = typeof __UNDICI_IS_NODE__ !== 'undefined' || typeof esbuildDetection !== 'undefined'",
      'const defaultUserAgent = true',
    ],
    [
      "responseObject = new WeakRef(fromInnerResponse(response, 'immutable'))",
      "const made = fromInnerResponse(response, 'immutable')\n    responseObject = new WeakRef(made)",
    ],
    ['const markResourceTiming = performance.markResourceTiming', 'const markResourceTiming = () => {}'],
  ],
  // A range without an end goes to the end of a blob (mended in undici 8).
  'fetch/util.js': [['if (rangeStartValue > rangeEndValue)', 'if (rangeEndValue !== null && rangeStartValue > rangeEndValue)']],
  'fetch/response.js': [
    ['streamRegistry.register(this, new WeakRef(this.#state.body.stream))', ''],
    ['streamRegistry.register(response, new WeakRef(innerResponse.body.stream))', ''],
  ],
};

const replacedBy = (id, importer) =>
  importer?.includes('/node_modules/undici/')
    ? Object.keys(REPLACED).find((end) => (end.startsWith('/') ? id.replace(/\.js$/, '').endsWith(`..${end}`) : id === end))
    : undefined;

/**
 * `code` of undici's file with that path, changed where it is one of `changes`.
 *
 * @param {string} code
 * @param {string} path
 * @param {Record<string, string[][]>} changes
 */
export function changeUndici(code, path, changes = CHANGES) {
  const file = path.includes('/undici/lib/web/') ? Object.keys(changes).find((name) => path.endsWith(`/${name}`)) : undefined;
  if (file === undefined) return undefined;
  const changed = changes[file].reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`undici's ${file} has changed: "${from}" is not there`);
    return text.replace(from, () => to);
  }, code);
  return { file, code: changed };
}

/** Whether `id` is replaced; such a `node:` module does not stay an import. */
export const isReplaced = (id, importer) => replacedBy(id, importer) !== undefined;

/** @param {string} folder where the replacements lie */
export function undici(folder) {
  const met = expectAll('undici', [...Object.keys(REPLACED), ...Object.keys(CHANGES)]);
  return {
    name: 'undici',
    resolveId(id, importer) {
      const found = replacedBy(id, importer);
      if (found === undefined) return null;
      met.meet(found);
      return join(folder, REPLACED[found]);
    },
    transform(code, id) {
      const changed = changeUndici(code, id);
      if (changed === undefined) return null;
      met.meet(changed.file);
      return changed.code;
    },
    generateBundle: () => met.check(),
  };
}
