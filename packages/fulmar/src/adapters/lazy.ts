/**
 * The part that makes `node:http`'s messages, behind a function: an app and a fetch function never load it,
 * and where there is no Node it is not there.
 */
import listener_ from './listener.ts';

export const listener = (): typeof listener_ => listener_;
