/** All that needs TypeScript, which is loaded with it: what is compiled, and what rules tell of a source. */
export { inspect } from './lint/inspect.ts';
export { transform } from './transform.ts';
