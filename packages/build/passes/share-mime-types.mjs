/** The version of `mime-types` that Koa uses, and below their packages the libraries of Express 4 too: its table is bundled once. */
import { createRequire } from 'node:module';

/** Where `mime-types` is found from a file, with its version. */
function mimeTypesFrom(name, file) {
  const require = createRequire(file);
  const { version } = require(`${name}/package.json`);
  return { version, path: require.resolve(name) };
}

/** @param {string} manifest the package.json among whose dependencies `mime-types2` is */
export const shareMimeTypes = (manifest) => ({
  name: 'share-mime-types',
  resolveId: {
    filter: { id: /^mime-types$/ },
    handler(id, importer) {
      const shared = mimeTypesFrom('mime-types2', manifest);
      return mimeTypesFrom(id, importer).version === shared.version ? shared.path : undefined;
    },
  },
});
