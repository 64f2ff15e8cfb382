/**
 * The WebSocket of a file, and the handler of GET beside it: requests that ask for an upgrade become sockets, others are
 * answered. What stands around the file stands around both, so that what guards the one guards the other.
 */
import type { App } from '../../app/index.ts';
import type { PathPart } from '../files/file-route.ts';
import { RouteFileError } from '../files/route-file-error.ts';
import type { Declared, DeclaredFile } from '../module/declared.ts';
import { handlerOf } from './handler.ts';

interface Place {
  /** Behind that of its folder. */
  readonly path: string;
  readonly file: string;
  readonly parts: readonly PathPart[];
}

/** What is left of the file's routes: without that of GET where it has a socket. @throws RouteFileError for what is none */
export function addSocket(app: App, place: Place, declared: DeclaredFile): readonly Declared[] {
  const { websocket, routes, schema, socketOptions, middleware } = declared;
  if (websocket === undefined) return routes;
  const beside = routes.find(({ method }) => method === 'GET') ?? routes.find(({ method }) => method === '*');
  if (beside !== undefined && 'request' in websocket)
    throw new RouteFileError('has a handler of GET, and one by the name request in its websocket, which is the same', [place.file]);
  const { body: _, response, ...inputs } = schema ?? {};
  const request = beside === undefined ? undefined : { request: handlerOf(beside, declared, place.parts) };
  const ofReplies = beside === undefined || response === undefined ? undefined : { response };
  const options = { ...inputs, ...ofReplies, ...socketOptions, use: beside?.middleware ?? middleware };
  try {
    app.websocket(place.path as never, { ...websocket, ...request } as never, options as never);
  } catch (cause) {
    throw new RouteFileError((cause as Error).message, [place.file], { cause });
  }
  return routes.filter(({ method }) => method !== 'GET');
}
