/**
 * What `readable-stream` takes instead of its own helpers; `rolldown.native.config.mjs` leads it here.
 */
export * as errors from '../stream/errors.ts';
export * as process from '../stream/process.ts';
export * as state from '../stream/state.ts';
export * as stringDecoder from '../stream/string-decoder.ts';
export * as util from '../stream/util.ts';
export * as validators from '../validators.ts';
