/**
 * What libraries in `dist/edge` have of `node:path`: names of files that end in `.html`, for their types.
 */

/** As `path.posix.extname`. @param {string} path */
export function extname(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot);
}
