/**
 * Applications that are listeners of messages, `(req, res)`, given exchanges: each by a server of its own,
 * which never listens, so that its messages are made as on a port. Loaded with the first such application.
 */
import type { Exchange } from '../exchange/types.ts';
import { createMessageServer, serveMessages } from '../http/index.ts';
import type { MessageListener } from '../app/mount.ts';
import type { Answer } from './application-types.ts';
import { isThenable } from '../host/thenable.ts';

/** `prepare` is given each request before the application. What the listener throws, `fail` is told. */
export default function answerBy(listener: MessageListener, prepare?: (req: object, exchange: Exchange) => void): Answer {
  const server = createMessageServer(listener);
  const call = listener as (this: object, req: object, res: object) => unknown;
  return (exchange, fail) =>
    serveMessages(server as never, exchange, (req, res) => {
      prepare?.(req, exchange);
      try {
        const returned = call.call(server, req, res);
        if (isThenable(returned)) returned.then(undefined, fail);
      } catch (error) {
        fail(error);
      }
    });
}
