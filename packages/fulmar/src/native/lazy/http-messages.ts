/**
 * The code of the classes in `http/message-classes.ts`.
 */
import { IncomingMessage } from '../http/incoming.ts';
import { messages } from '../http/message-classes.ts';
import { OutgoingMessage } from '../http/outgoing.ts';
import { ServerResponse } from '../http/response.ts';

messages.link([OutgoingMessage, IncomingMessage, ServerResponse]);
