/**
 * `fulmar-compiler/unplugin`: what `fulmar run` and `fulmar build` do about types, in other bundlers. A function for
 * each, which takes no options; the configuration is the nearest `tsconfig.json`.
 */
export { esbuild } from './esbuild.ts';
export { rollup, rollup as rolldown } from './rollup.ts';
export { vite } from './vite.ts';
export { webpack, webpack as rspack } from './webpack.ts';
