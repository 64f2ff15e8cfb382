/**
 * `fulmar/client/binary`: the binary form of calls and results, for clients that want it. A module of its own, so that
 * other clients do not carry it.
 */
import { BINARY_TYPE } from '../../fulmar/src/shape/binary/form.ts';
import { fromBinary, toBinary } from '../../fulmar/src/shape/binary/values.ts';
import type { BinaryCodec } from './client-types.ts';

/** For the option `binary` of `createClient()`. */
export const binary: BinaryCodec = { type: BINARY_TYPE, encode: toBinary, decode: fromBinary };
