/**
 * The one decision to answer with text in one step: type, length and ETag become the last fields, the text
 * goes to the engine, which makes the ETag over the bytes it sends. None of the public methods of the
 * response is called for it, so all that a program could have put in their way is asked here, once:
 *
 * - of the response: `get`, `set` and `end` are ours; `endTyped` asks of the layer beneath that `setHeader`, `getHeader`, `writeHead` and
 *   `_implicitHeader` are, too, that nothing is written yet, and that no field says what the content is;
 * - of the application: ETags are made as they are unless it was told otherwise;
 * - of the reply: its status has content;
 * - of the request: it wants the content, whatever else is there (no HEAD, no conditions, and nobody says that it is fresh).
 *
 * Where one of these does not hold nothing is done, and `res.send` goes through the methods.
 */
import { endTyped } from '../http/index.ts';
import { weakEtag } from '../web/etag.ts';
import { hasNodeEnd } from '../web/reply.ts';
import { isConditional } from './fast-path.ts';
import type { ExpressResponse } from './message-types.ts';
import { headerMembers } from './response-headers.ts';
import type { SendRules } from './response-send.ts';

const OK = 200;

export const isWithoutContent = (statusCode: number): boolean => statusCode === 204 || statusCode === 205 || statusCode === 304;

/** False: nothing was done. */
export function sendPlain(res: ExpressResponse, type: string, body: string, { set }: SendRules): boolean {
  const { statusCode, req } = res;
  return (
    (statusCode === OK || !isWithoutContent(statusCode)) &&
    res.get === headerMembers.get &&
    res.set === set &&
    hasNodeEnd(res) &&
    res.app.settings['etag fn'] === weakEtag &&
    req.method !== 'HEAD' &&
    !isConditional(req) &&
    !req.fresh &&
    endTyped(res, type, body)
  );
}
