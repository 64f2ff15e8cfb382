/**
 * `node:stream`: `readable-stream`, Node's own streams as a package. It is loaded when one of its classes or
 * functions is used; pipelines, operators, `compose`, `Duplex.from` and the adapters to web streams are parts
 * of their own.
 */
import later from 'fulmar:later';
import type * as NodeStream from 'node:stream';
import { coded } from '../shared/errors.ts';
import { defineLazily } from '../shared/lazy-property.ts';
import type { Extras } from './extras.later.ts';
import { chunkChecks } from './chunks.ts';
import { Readable, Stream } from './classes.ts';
import { getDefaultHighWaterMark, setDefaultHighWaterMark } from './state.ts';

const extras = () => later<typeof import('./extras.later.ts')>() as Extras;
const classes = () => later<typeof import('./classes.later.ts')>();

function pipeline(...streams: unknown[]): unknown {
  return extras().pipeline(...streams);
}

function compose(...streams: unknown[]): unknown {
  return extras().compose(...streams);
}

function duplexPair(options?: NodeStream.DuplexOptions): unknown {
  return extras().duplexPair(options);
}

/** Operators by name, with the number of their parameters. */
const OPERATORS = { drop: 1, filter: 2, flatMap: 2, map: 2, take: 1, every: 1, forEach: 2, reduce: 3, toArray: 1, some: 1, find: 2 };

function defineOperator(name: string, length: number): void {
  const operator = function (this: NodeStream.Readable, ...args: unknown[]): unknown {
    if (new.target) throw coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    return extras().operator(name, this, args);
  };
  Object.defineProperty(operator, 'name', { value: name });
  Object.defineProperty(operator, 'length', { value: length });
  Object.defineProperty(Readable.prototype, name, { value: operator, enumerable: false, configurable: true, writable: true });
}

for (const name of Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]) defineOperator(name, OPERATORS[name]);

Object.assign(Readable.prototype, {
  compose(this: NodeStream.Readable, stream: unknown, options: unknown) {
    return extras().operator('compose', this, [stream, options]);
  },
});
defineLazily(Readable, ['ReadableState', '_fromList', 'from', 'fromWeb', 'toWeb', 'wrap'], true, (name) => classes().readable[name]);

const promises = () => process.getBuiltinModule('node:stream/promises');
Object.defineProperty(pipeline, Symbol.for('nodejs.util.promisify.custom'), { enumerable: true, get: () => promises().pipeline });

/** Exports that are loaded with the first of them. */
function exportLazily(...names: string[]): void {
  defineLazily(Stream, names, true, (name) => classes().exported[name]);
}

exportLazily('isDestroyed', 'isDisturbed', 'isErrored', 'isReadable', 'isWritable');
Object.assign(Stream, { Readable });
exportLazily('Writable', 'Duplex', 'Transform', 'PassThrough');
Object.assign(Stream, { duplexPair, pipeline });
exportLazily('addAbortSignal', 'finished', 'destroy');
Object.assign(Stream, { compose, setDefaultHighWaterMark, getDefaultHighWaterMark });
Object.defineProperty(Stream, 'promises', { configurable: true, enumerable: true, get: promises });
Object.assign(Stream, { Stream, ...chunkChecks });

export default Stream;
