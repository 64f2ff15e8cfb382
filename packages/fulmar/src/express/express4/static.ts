/**
 * `express.static` of version 4 (F… in docs/internals/express4.md), with the table of content types as
 * `express.static.mime`.
 */
import { createStaticHandler, type StaticHandler, type StaticOptions } from '../../web/static/serve-static.ts';
import { exposeMime } from './media-types.ts';
import { SendStream4 } from './send-stream.ts';

export function serveStatic(root: unknown, options?: StaticOptions): StaticHandler {
  return createStaticHandler(root, options, SendStream4);
}

Object.defineProperty(serveStatic, 'mime', { configurable: true, enumerable: true, get: exposeMime });
