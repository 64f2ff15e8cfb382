/**
 * `fulmar/controllers/openapi`: what decorators and types say of controllers as a document of OpenAPI, with the names of
 * `@nestjs/swagger`. The names stand in `exports.ts`; here they are an object as well, for `require()`.
 */
import * as all from './exports.ts';

export default { ...all };
export * from './exports.ts';
