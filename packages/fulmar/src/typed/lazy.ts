/**
 * Parts of this folder that compiled code rarely needs, behind functions: loaded on their first call in the built
 * package.
 */
import documents_ from './documents.ts';

export const documents = (): typeof documents_ => documents_;
