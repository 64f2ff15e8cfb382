/**
 * What `readable-stream` takes instead of its own helpers; `rolldown.native.config.mjs` leads it here.
 */
import { getDefaultHighWaterMark, getHighWaterMark } from '../stream/state.ts';
import { validateAbortSignal, validateBoolean, validateFunction, validateInteger, validateObject } from '../validators.ts';

export * as errors from '../stream/errors.ts';
export * as process from '../stream/process.ts';
export * as stringDecoder from '../stream/string-decoder.ts';
export * as util from '../stream/util.ts';

// What a start loads without streams: a namespace would have a getter for each export, made at every start.
export const state = { getDefaultHighWaterMark, getHighWaterMark };
export const validators = { validateAbortSignal, validateBoolean, validateFunction, validateInteger, validateObject };
