/**
 * A part of `node:stream`, loaded when it is used: pipelines, operators, `compose`, `Duplex.from`,
 * `duplexPair`.
 */
import './classes.later.ts';
import type * as NodeStream from 'node:stream';
import composeStreams from 'readable-stream/lib/internal/streams/compose';
import Duplex from 'readable-stream/lib/internal/streams/duplex';
import duplexify from 'readable-stream/lib/internal/streams/duplexify';
import operators from 'readable-stream/lib/internal/streams/operators';
import pipelines from 'readable-stream/lib/internal/streams/pipeline';
import Readable from 'readable-stream/lib/internal/streams/readable';

type Fn = (this: unknown, ...args: unknown[]) => unknown;

export interface Extras {
  pipeline(...streams: unknown[]): unknown;
  pipelineOf(streams: unknown[], callback: Fn, options: object): unknown;
  compose(...streams: unknown[]): unknown;
  operator(name: string, stream: NodeStream.Readable, args: unknown[]): unknown;
  duplexFrom(body: unknown): unknown;
  duplexPair(options?: NodeStream.DuplexOptions): unknown;
}

const streamReturning = operators.streamReturningOperators as Record<string, Fn>;
const promiseReturning = operators.promiseReturningOperators as Record<string, Fn>;

export const pipeline = pipelines.pipeline as Extras['pipeline'];
export const pipelineOf = pipelines.pipelineImpl as Extras['pipelineOf'];
export const compose = composeStreams as Extras['compose'];

export function operator(name: string, stream: NodeStream.Readable, args: unknown[]): unknown {
  const promising = promiseReturning[name];
  if (promising !== undefined) return promising.apply(stream, args);
  return (Readable as typeof NodeStream.Readable).from((streamReturning[name] as Fn).apply(stream, args) as AsyncIterable<unknown>);
}

export function duplexFrom(body: unknown): unknown {
  return duplexify(body, 'body');
}

const other = Symbol('other side');
const pending = Symbol('callback');

interface Side extends NodeStream.Duplex {
  [other]: Side | undefined;
  [pending]: (() => void) | undefined;
}

/** What is written to one side is read from the other. */
function createSide(options: NodeStream.DuplexOptions | undefined): Side {
  const side = new (Duplex as typeof NodeStream.Duplex)({
    ...options,
    read() {
      const callback = side[pending];
      side[pending] = undefined;
      callback?.();
    },
    write(chunk: unknown, encoding, callback) {
      const peer = side[other] as Side;
      if (chunk instanceof Uint8Array && chunk.length === 0) {
        process.nextTick(callback);
        return;
      }
      peer.push(chunk, encoding);
      peer[pending] = callback;
    },
    final(callback) {
      const peer = side[other] as Side;
      peer.on('end', callback);
      peer.push(null);
    },
    destroy(error, callback) {
      const peer = side[other] as Side;
      if (!peer.destroyed) process.nextTick(() => (error ? peer.destroy() : peer.push(null)));
      callback(error);
    },
  }) as Side;
  side[pending] = undefined;
  return side;
}

export function duplexPair(options?: NodeStream.DuplexOptions): [NodeStream.Duplex, NodeStream.Duplex] {
  const one = createSide(options);
  const two = createSide(options);
  one[other] = two;
  two[other] = one;
  return [one, two];
}
