/**
 * `fulmar/controllers`: classes as applications, with modules and injection, as in Nest. The names stand in
 * `exports.ts`; here they are an object as well, for `require()`.
 */
import * as all from './exports.ts';

export default { ...all };
export * from './exports.ts';
