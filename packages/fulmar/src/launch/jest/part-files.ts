/**
 * The files of `dist` that hold one part each (`parts` of a bundle): jest's resolver can only name files.
 * `packages/build/bundle.mjs` writes them. Not used elsewhere: in Node a part takes the place of a module
 * without a file of its own.
 */
import { basename } from 'node:path';

/** `bundle`: `…/lib-express4-parts.cjs`; `part`: `lib/router/layer.js`. */
export function partFileName(bundle: string, part: string): string {
  return `${basename(bundle, '.cjs').replace(/^lib-/, 'jest-')}-${part.replace(/\.js$/, '').replaceAll('/', '-')}.cjs`;
}
