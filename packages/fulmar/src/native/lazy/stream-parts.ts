/**
 * What `readable-stream` takes instead of its own helpers; `rolldown.native.config.mjs` leads it here.
 */
import { validateAbortSignal, validateBoolean, validateFunction, validateInteger, validateObject } from '../validators.ts';

export * as errors from '../stream/errors.ts';
export * as process from '../stream/process.ts';
export * as state from '../stream/state.ts';
export * as stringDecoder from '../stream/string-decoder.ts';
export * as util from '../stream/util.ts';

/** Not all of them: a namespace would have a getter for each, made at every start. */
export const validators = { validateAbortSignal, validateBoolean, validateFunction, validateInteger, validateObject };
