/**
 * The classes of `node:stream` on which everything stands, before `readable-stream` is loaded: see
 * `late-class.ts`.
 */
import { EventEmitter } from 'node:events';
import type * as NodeStream from 'node:stream';
import later from 'fulmar:later';
import { LateFamily } from '../shared/late-class.ts';

export const streams = new LateFamily(later.file<typeof import('./classes.later.ts')>());

export const Stream = streams.define({ name: 'Stream', length: 1, parent: EventEmitter, members: 'pipe2' }) as unknown as typeof NodeStream;

export const Readable = streams.define({
  name: 'Readable',
  length: 1,
  parent: Stream,
  members:
    'destroy2 _undestroy0 _destroy2 @@rejection1 @@asyncDispose0 push2 unshift2 isPaused0 setEncoding1 read1 _read1 pipe2 unpipe1 on2 ' +
    'addListener2 removeListener2 off2 removeAllListeners1 resume0 pause0 wrap1 @@asyncIterator0 iterator1 readable= readableDidRead ' +
    'readableAborted readableHighWaterMark readableBuffer readableFlowing= readableLength readableObjectMode readableEncoding errored closed ' +
    'destroyed= readableEnded',
}) as unknown as typeof NodeStream.Readable;
