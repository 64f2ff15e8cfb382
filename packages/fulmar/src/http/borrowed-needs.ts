/** What of the messages Node's own functions use when they are called on one of ours (`borrowed.ts`). */
import { headerName } from './header-name.ts';
import { lend } from './borrowed-loader.ts';
import { dropHeader, peekHeader, putHeader, visibleHeaders } from './headers-out.ts';
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

lend(makeParts);
