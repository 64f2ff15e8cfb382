/**
 * `fulmar/controllers/testing`: modules of an application put together for a test, with other providers in the place of
 * some, as `@nestjs/testing` does it; and messages and objects that only seem to be what they stand for. The names stand
 * in `exports.ts`; here they are an object as well, for `require()`.
 */
import * as all from './exports.ts';

export default { ...all };
export * from './exports.ts';
