/**
 * What `readable-stream` takes as its `ours/errors`: Node's errors from `../shared/errors.ts`.
 */
import {
  coded,
  invalidArgType,
  invalidArgValue,
  invalidReturnValue,
  methodNotImplemented,
  missingArgs,
  outOfRange,
  unknownEncoding,
} from '../shared/errors.ts';

export { AbortError, aggregated as aggregateTwoErrors } from '../shared/errors.ts';

export function hideStackFrames<F>(fn: F): F {
  return fn;
}

type Base = new (message?: string) => Error;

/** A function to be called with `new`, which gives an error of `Base`. */
function of(code: string, template: string, Class: Base = Error) {
  return function (argument?: string) {
    return coded(Class, code, argument === undefined ? template : template.replace('%s', argument));
  };
}

function constructible<A extends readonly unknown[]>(make: (...args: A) => Error) {
  return function (...args: A) {
    return make(...args);
  };
}

/** What a byte stream takes since Node 22. */
const CHUNKS = ['string', 'Buffer', 'TypedArray', 'DataView'];

export const codes = {
  ERR_INVALID_ARG_TYPE: constructible((name: string, expected: string | readonly string[], actual: unknown) =>
    invalidArgType(name, name === 'chunk' ? CHUNKS : name === 'fn' ? 'Function' : expected, actual),
  ),
  ERR_INVALID_ARG_VALUE: constructible(invalidArgValue),
  ERR_INVALID_RETURN_VALUE: constructible(invalidReturnValue),
  ERR_MISSING_ARGS: constructible((...names: string[]) => missingArgs(...names)),
  ERR_OUT_OF_RANGE: constructible(outOfRange),
  ERR_METHOD_NOT_IMPLEMENTED: constructible(methodNotImplemented),
  ERR_UNKNOWN_ENCODING: constructible(unknownEncoding),
  ERR_MULTIPLE_CALLBACK: of('ERR_MULTIPLE_CALLBACK', 'Callback called multiple times'),
  ERR_STREAM_ALREADY_FINISHED: of('ERR_STREAM_ALREADY_FINISHED', 'Cannot call %s after a stream was finished'),
  ERR_STREAM_CANNOT_PIPE: of('ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable'),
  ERR_STREAM_DESTROYED: of('ERR_STREAM_DESTROYED', 'Cannot call %s after a stream was destroyed'),
  ERR_STREAM_NULL_VALUES: of('ERR_STREAM_NULL_VALUES', 'May not write null values to stream', TypeError),
  ERR_STREAM_PREMATURE_CLOSE: of('ERR_STREAM_PREMATURE_CLOSE', 'Premature close'),
  ERR_STREAM_PUSH_AFTER_EOF: of('ERR_STREAM_PUSH_AFTER_EOF', 'stream.push() after EOF'),
  ERR_STREAM_UNSHIFT_AFTER_END_EVENT: of('ERR_STREAM_UNSHIFT_AFTER_END_EVENT', 'stream.unshift() after end event'),
  ERR_STREAM_WRITE_AFTER_END: of('ERR_STREAM_WRITE_AFTER_END', 'write after end'),
};
