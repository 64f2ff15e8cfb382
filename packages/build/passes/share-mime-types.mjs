/**
 * The version of `mime-types` that Koa uses, and below their packages the libraries of Express 4 too: its
 * table is bundled once.
 */
import { createRequire } from 'node:module';
import { expectAll } from './met.mjs';

/** Where `mime-types` is found from a file, with its version. */
function mimeTypesFrom(name, file) {
  const require = createRequire(file);
  const { version } = require(`${name}/package.json`);
  return { version, path: require.resolve(name) };
}

/** @param {string} manifest the package.json among whose dependencies `mime-types2` is */
export function shareMimeTypes(manifest) {
  const met = expectAll('share-mime-types', ['mime-types']);
  return {
    name: 'share-mime-types',
    resolveId: {
      filter: { id: /^mime-types$/ },
      handler(id, importer) {
        const shared = mimeTypesFrom('mime-types2', manifest);
        if (mimeTypesFrom(id, importer).version !== shared.version) return undefined;
        met.meet(id);
        return shared.path;
      },
    },
    generateBundle: () => met.check(),
  };
}
