/**
 * `fulmar/http`: a drop-in for node:http. The server side is ours, everything else is Node's own, unchanged.
 * Lazy members (`WebSocket`, `CloseEvent`, `MessageEvent`) are on the default export only: naming them here
 * would load them.
 */
import { api } from './api.ts';
import './borrowed-needs.ts';
import { nodeHttp } from './node-http.ts';

export default api;
export { bytesIn, compressor, hasDescriptors, openFile } from '../exchange/index.ts';
export { acceptUpgrade, serveMessages } from './observer.ts';
export { type ExchangeListener, kExchangeListener, kUpgradeListener } from './exchange-listener.ts';
export { IncomingMessage } from './incoming-message.ts';
export { closeTaken, isUnconditional, isUnread, takeInlineContent, takeInlineText } from './incoming-stream.ts';
export { jsonText } from './json-text.ts';
export { isPlainHttp, isReplyWritable, onConnectionError } from './liveness.ts';
export { kMessageClasses } from './message-classes.ts';
export type { MessageClasses, MessageClassesOwner } from './message-classes.ts';
export type { HeaderName } from './header-name.ts';
export { quickjsHost } from './quickjs-host.ts';
export { endTagged, endTyped, lengthText, putTrusted, trustedName } from './trusted-reply.ts';
export { createMessageServer } from './message-server.ts';
export { createServer, Server } from './server.ts';
export { ServerResponse } from './server-response.ts';
export const {
  Agent,
  ClientRequest,
  METHODS,
  OutgoingMessage,
  STATUS_CODES,
  get,
  globalAgent,
  maxHeaderSize,
  request,
  setMaxIdleHTTPParsers,
  validateHeaderName,
  validateHeaderValue,
} = nodeHttp;
export const _connectionListener: unknown = Reflect.get(nodeHttp, '_connectionListener');
export const setGlobalProxyFromEnv: unknown = Reflect.get(nodeHttp, 'setGlobalProxyFromEnv');
