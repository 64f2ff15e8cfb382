/** What is asked of a response before it is answered past its public methods. */
import { isReplyWritable, ServerResponse } from '../http/index.ts';
import type { WebResponse } from './message-types.ts';

const nodeEnd = ServerResponse.prototype.end;

/** Whether `res.end` is still node's: middleware that replaced it gets the bytes upstream would give it. */
export function hasNodeEnd(res: WebResponse): boolean {
  return res.end === nodeEnd;
}

/** Whether the client is there, as far as is known. */
export function isWritable(res: WebResponse): boolean {
  return isReplyWritable(res) ?? !res.destroyed;
}
