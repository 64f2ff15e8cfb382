/**
 * `WebSocket`: undici's, as in Node.
 */
import events from 'undici/lib/web/websocket/events.js';
import websocket from 'undici/lib/web/websocket/websocket.js';

export const { WebSocket } = websocket as { WebSocket: unknown };
export const { CloseEvent, MessageEvent } = events as { CloseEvent: unknown; MessageEvent: unknown };
