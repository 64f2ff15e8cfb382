/**
 * Which classes requests and responses are made with: the server's options, the classes an application brings
 * under `kMessageClasses`, or our own. Decided when the listener changes, never per request.
 */
import { REQUESTS_BEFORE_SHAPES } from '../exchange/index.ts';
import { type ExchangeListenerOwner, kExchangeListener, kUpgradeListener } from './exchange-listener.ts';
import { IncomingMessage } from './incoming-message.ts';
import { kMessageClasses } from './message-classes.ts';
import type { MessageClasses, MessageClassesOwner } from './message-classes.ts';
import { nodeHttp } from './node-http.ts';
import { rebase, rebaseClass } from './rebase.ts';
import { ServerResponse } from './server-response.ts';
import type { MessageClassOptions, MessageMakers, ServerState } from './server-state.ts';

type RequestMaker = MessageMakers['Request'];
type ResponseMaker = MessageMakers['Response'];

const ourRequest = IncomingMessage as unknown as RequestMaker;
const ourResponse = ServerResponse as unknown as ResponseMaker;

/** Classes given as options; those written for Node are put on top of ours. */
export function classOptions(options: { IncomingMessage?: unknown; ServerResponse?: unknown }): MessageClassOptions {
  return {
    Request: ownOrNull(options.IncomingMessage, nodeHttp.IncomingMessage, ourRequest) as RequestMaker | null,
    Response: ownOrNull(options.ServerResponse, nodeHttp.ServerResponse, ourResponse) as ResponseMaker | null,
  };
}

interface Ctor {
  prototype: object;
}

function ownOrNull(given: unknown, node: Ctor, ours: Ctor): Ctor | null {
  if (typeof given !== 'function' || given === node || given === ours) return null;
  rebaseClass(given as Ctor, node, ours);
  return given as Ctor;
}

interface AppShape {
  request?: unknown;
  response?: unknown;
}

/**
 * An application of Express's kind swaps prototypes per request; its templates must stand on our messages.
 */
function adoptTemplates(listener: AppShape): void {
  const { request, response } = listener;
  if (typeof request === 'object' && request !== null) rebase(request, nodeHttp.IncomingMessage, ourRequest);
  if (typeof response === 'object' && response !== null) rebase(response, nodeHttp.ServerResponse, ourResponse);
}

/** The makers for the server's current `request` listener. */
export function makersFor(server: ServerState): MessageMakers {
  const listener = server._events['request'];
  const { Request, Response } = server._classes;
  let brought: MessageClasses | undefined;
  if (typeof listener === 'function') {
    brought = (listener as MessageClassesOwner)[kMessageClasses];
    if (brought === undefined) adoptTemplates(listener as AppShape);
  }
  return {
    listener,
    Request: Request ?? ((brought?.Request ?? ourRequest) as RequestMaker),
    Response: Response ?? ((brought?.Response ?? ourResponse) as ResponseMaker),
    viaSocket: Request !== null,
    take: (typeof listener === 'function' && (listener as ExchangeListenerOwner)[kExchangeListener]) || null,
    takesUpgrade: (typeof listener === 'function' && (listener as ExchangeListenerOwner)[kUpgradeListener]) || null,
    untilKnown: REQUESTS_BEFORE_SHAPES,
    perRequest: brought?.perRequest,
    options:
      Response === null ? null : { highWaterMark: server.highWaterMark, rejectNonStandardBodyWrites: server.rejectNonStandardBodyWrites },
  };
}
