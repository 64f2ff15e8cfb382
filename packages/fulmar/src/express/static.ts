/** `express.static`. What it makes is loaded when it is first called. */
import { createStaticHandler, type StaticHandler, type StaticOptions } from '../web/static/serve-static.ts';
import { SendStream } from '../web/static/send-stream.ts';

export function serveStatic(root: unknown, given?: StaticOptions): StaticHandler {
  return createStaticHandler(root, given, SendStream);
}
