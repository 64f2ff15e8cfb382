/**
 * `write`, `end` and their relatives as members of the response prototype: argument forms as in Node, work in
 * reply-body.
 */
import { isUint8Array } from 'node:util/types';
import { queueEndCallback } from './end-callback.ts';
import { throwInvalidChunk, writeAfterEnd } from './errors.ts';
import { borrowed } from './borrowed-loader.ts';
import { nodeHttp, nodeMethod } from './node-http.ts';
import { endContent, failLater, flushHead, releaseHeld, writeContent } from './reply-body.ts';
import type { DoneCallback, ResponseState } from './response-state.ts';

const parent = nodeHttp.ServerResponse.prototype;
const foreign = {
  write: nodeMethod(parent, 'write'),
  end: nodeMethod(parent, 'end'),
  cork: nodeMethod(parent, 'cork'),
  uncork: nodeMethod(parent, 'uncork'),
  flushHeaders: nodeMethod(parent, 'flushHeaders'),
  addTrailers: nodeMethod(parent, 'addTrailers'),
  send: nodeMethod(parent, '_send'),
  writeRaw: nodeMethod(parent, '_writeRaw'),
  finish: nodeMethod(parent, '_finish'),
  flush: nodeMethod(parent, '_flush'),
};

const nop = (): void => undefined;
const callbackOf = (value: unknown): DoneCallback | null => (typeof value === 'function' ? (value as DoneCallback) : null);

/** A response of Node's that only builds trailers, so that names and values are checked in Node's words. */
function trailersOf(headers: unknown): string {
  const scratch = { _trailer: '', _isLenientHeaderValidation: () => false };
  foreign.addTrailers.call(scratch, headers);
  return scratch._trailer;
}

function end(res: ResponseState, chunk: unknown, encoding: BufferEncoding | undefined, callback: DoneCallback | null): unknown {
  if (chunk) {
    if (res.finished) {
      if (!res.destroyed) failLater(res, writeAfterEnd(), callback ?? nop);
      return res;
    }
    if (typeof chunk !== 'string' && !isUint8Array(chunk)) throwInvalidChunk(chunk);
    endContent(res, chunk, encoding, callback);
  } else if (!res.finished) endContent(res, null, undefined, callback);
  else if (callback !== null) queueEndCallback(res, callback);
  return res;
}

export const bodyMembers = {
  write(this: ResponseState, chunk: unknown, encoding?: unknown, callback?: unknown): unknown {
    if (this._exchange === undefined) return foreign.write.call(this, chunk, encoding, callback);
    const last = typeof encoding === 'function' ? encoding : callback;
    const charset = typeof encoding === 'function' ? undefined : ((encoding ?? undefined) as BufferEncoding | undefined);
    const accepted = writeContent(this, chunk, charset, callbackOf(last));
    if (!accepted) this._needDrain = true;
    return accepted;
  },
  end(this: ResponseState, chunk?: unknown, encoding?: unknown, callback?: unknown): unknown {
    if (this._exchange === undefined) return foreign.end.call(this, chunk, encoding, callback);
    if (typeof chunk === 'function') return end(this, null, undefined, callbackOf(chunk));
    if (typeof encoding === 'function') return end(this, chunk, undefined, callbackOf(encoding));
    return end(this, chunk, (encoding ?? undefined) as BufferEncoding | undefined, callback === undefined ? null : callbackOf(callback));
  },
  cork(this: ResponseState): void {
    if (this._exchange === undefined) foreign.cork.call(this);
    else this._corked++;
  },
  uncork(this: ResponseState): void {
    if (this._exchange === undefined) foreign.uncork.call(this);
    else if (this._corked > 0 && --this._corked === 0) releaseHeld(this);
  },
  flushHeaders(this: ResponseState): void {
    if (this._exchange === undefined) {
      foreign.flushHeaders.call(this);
      return;
    }
    if (this._block === null) this._implicitHeader();
    flushHead(this);
  },
  addTrailers(this: ResponseState, headers: unknown): void {
    if (this._exchange === undefined) foreign.addTrailers.call(this, headers);
    else this._trailer = trailersOf(headers);
  },
  _send(this: ResponseState, data: unknown, encoding?: unknown, callback?: unknown, size?: unknown): unknown {
    if (this._exchange === undefined) return foreign.send.call(this, data, encoding, callback, size);
    return borrowed().send(this, data, encoding, callback);
  },
  _writeRaw(this: ResponseState, data: unknown, encoding?: unknown, callback?: unknown, size?: unknown): unknown {
    if (this._exchange === undefined) return foreign.writeRaw.call(this, data, encoding, callback, size);
    return borrowed().writeRaw(this, data, encoding, callback);
  },
  _finish(this: ResponseState): void {
    if (this._exchange === undefined) foreign.finish.call(this);
    else {
      if (this._exchange.open) borrowed().finish(this);
      this.emit('prefinish');
    }
  },
  _flush(this: ResponseState): void {
    if (this._exchange === undefined) foreign.flush.call(this);
  },
};
