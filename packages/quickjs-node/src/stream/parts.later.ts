/**
 * What `readable-stream` takes instead of its own helpers; `packages/build/passes/readable-stream.mjs` leads
 * it here.
 */
import { getDefaultHighWaterMark, getHighWaterMark } from './state.ts';
import { validateAbortSignal, validateBoolean, validateFunction, validateInteger, validateObject } from '../shared/validators.ts';

export * as errors from './errors.ts';
export * as process from './process.ts';
export * as stringDecoder from './string-decoder.ts';
export * as util from './util.ts';

// What a start loads without streams: a namespace would have a getter for each export, made at every start.
export const state = { getDefaultHighWaterMark, getHighWaterMark };
export const validators = { validateAbortSignal, validateBoolean, validateFunction, validateInteger, validateObject };
