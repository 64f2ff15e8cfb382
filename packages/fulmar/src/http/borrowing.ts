// The way to `borrowed.ts`, which is loaded when somebody calls one of Node's own functions on a message of ours. It imports nothing of what
// a start loads, or both would share a file more: it is given what it uses.
import { headerName } from './header-name.ts';
import { dropHeader, peekHeader, putHeader, visibleHeaders } from './headers-out.ts';
import { borrowed as load } from './lazy.ts';
import { beforeEnd, lifeOf } from './lifecycle.ts';
import { nodeHttp } from './node-http.ts';
import { finishStarted, flushHead, releaseHeld, startReply, writeWhole } from './reply-body.ts';
import { givenBlock, storedBlock, storeHead } from './reply-head.ts';

const makeParts = () => ({
  headerName,
  dropHeader,
  peekHeader,
  putHeader,
  visibleHeaders,
  beforeEnd,
  finishStarted,
  flushHead,
  givenBlock,
  lifeOf,
  nodeHttp,
  releaseHeld,
  startReply,
  storedBlock,
  storeHead,
  writeWhole,
});

/** What `borrowed.ts` uses. */
export type BorrowedParts = ReturnType<typeof makeParts>;

let isReady = false;

export function borrowed(): ReturnType<typeof load> {
  const loaded = load();
  if (!isReady) {
    isReady = true;
    loaded.take(makeParts());
  }
  return loaded;
}
