/**
 * The code of the classes in `http/message-classes.ts`.
 */
import { IncomingMessage } from '../http/incoming.ts';
import { messages } from '../http/message-classes.ts';
import { OutgoingMessage } from '../http/outgoing.ts';
import { ServerResponse } from '../http/response.ts';
import { readGlobal } from '../../host/globals.ts';

messages.link([OutgoingMessage, IncomingMessage, ServerResponse]);

const host = readGlobal('fulmar.host');
if (host !== undefined) {
  host.hasMessages = true;
  for (const told of host.onMessages) told();
}
