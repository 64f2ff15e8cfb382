/**
 * The code of the classes in `http/message-classes.ts`.
 */
import { IncomingMessage } from './incoming.ts';
import { messages } from './message-classes.ts';
import { OutgoingMessage } from './outgoing.ts';
import { ServerResponse } from './response.ts';
import { readGlobal } from '../../../fulmar/src/host/globals.ts';

messages.link([OutgoingMessage, IncomingMessage, ServerResponse]);

const host = readGlobal('fulmar.host');
if (host !== undefined) {
  host.hasMessages = true;
  for (const told of host.onMessages) told();
}
