/**
 * The code of the classes in `http/message-classes.ts`.
 */
import { IncomingMessage } from '../http/incoming.ts';
import { messages } from '../http/message-classes.ts';
import { OutgoingMessage } from '../http/outgoing.ts';
import { ServerResponse } from '../http/response.ts';

messages.link([OutgoingMessage, IncomingMessage, ServerResponse]);

interface Host {
  hasMessages: boolean;
  readonly onMessages: (() => void)[];
}

const host = (globalThis as unknown as Record<symbol, Host>)[Symbol.for('fulmar.host')];
if (host !== undefined) {
  host.hasMessages = true;
  for (const told of host.onMessages) told();
}
