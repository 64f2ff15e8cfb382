/**
 * What answers below `/_fulmar`: the page, its data, events, the pages of errors that happened, the script of live
 * reload, the editor. Each asks `access.ts` first. Never reaches the application.
 */
import type { Exchange } from '../exchange/types.ts';
import type { Access } from './access.ts';
import { CLIENT_PATH, clientScript } from './client-script.ts';
import { newNonce, toErrorPage } from './error-page.ts';
import type { Events } from './events.ts';
import { fieldsFor, HTML, JSON_TYPE, replyWith, SCRIPT, TEXT } from './own-reply.ts';
import { toInspectorPage } from './inspector-page.ts';
import type { RequestLog } from './request-log.ts';
import { toRow } from './request-row.ts';
import { inProject } from './source.ts';
import type { OpenEditor, RouteRow } from './types.ts';
import { OWN_PATH, type WatchedObserver } from './watched.ts';

export interface EndpointParts {
  readonly root: string;
  readonly access: Access;
  readonly events: Events;
  readonly log: RequestLog;
  readonly openEditor: OpenEditor;
  readonly routes: () => Promise<readonly RouteRow[]>;
  /** What a page is told first: which version is loaded, and what is broken. */
  readonly hello: () => { readonly version: string; readonly broken: object | null };
}

const DIGITS_MAX = 9;

export class Endpoints {
  readonly #parts: EndpointParts;

  constructor(parts: EndpointParts) {
    this.#parts = parts;
  }

  answer(exchange: Exchange, place: WatchedObserver): void {
    const { access } = this.#parts;
    const refusal = access.refusal(exchange, place.target);
    if (refusal !== null) return replyWith(exchange, 403, fieldsFor(TEXT), refusal);
    const at = exchange.target.indexOf('?');
    const path = at < 0 ? exchange.target : exchange.target.slice(0, at);
    const query = new URLSearchParams(at < 0 ? '' : exchange.target.slice(at + 1));
    if (path === `${OWN_PATH}/open`) return this.#open(exchange, query);
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD')
      return replyWith(exchange, 405, `${fieldsFor(TEXT)}Allow: GET, HEAD\r\n`, 'This is asked for with GET.');
    this.#show(exchange, place, { path, query });
  }

  #show(exchange: Exchange, place: WatchedObserver, { path, query }: { path: string; query: URLSearchParams }): void {
    const { access, events, hello } = this.#parts;
    switch (path) {
      case OWN_PATH:
      case `${OWN_PATH}/`: {
        const nonce = newNonce();
        return replyWith(exchange, 200, fieldsFor(HTML, nonce), toInspectorPage(nonce, access.token));
      }
      case CLIENT_PATH:
        return replyWith(exchange, 200, fieldsFor(SCRIPT), clientScript(hello().version));
      case `${OWN_PATH}/events`:
        if (exchange.method === 'HEAD') return replyWith(exchange, 200, fieldsFor(TEXT), '');
        return events.open(exchange, place, { hello: hello(), wantsRequests: query.has('requests') });
      case `${OWN_PATH}/state`:
        return this.#state(exchange);
      default:
        return this.#error(exchange, path);
    }
  }

  #state(exchange: Exchange): void {
    const { log, routes, hello } = this.#parts;
    const send = (found: readonly RouteRow[], problem: string | null): void =>
      replyWith(
        exchange,
        200,
        fieldsFor(JSON_TYPE),
        JSON.stringify({ ...hello(), routes: found, problem, requests: log.all().map(toRow) }),
      );
    routes().then(
      (found) => send(found, null),
      (error: unknown) => send([], `The routes cannot be listed: ${String(error)}`),
    );
  }

  #error(exchange: Exchange, path: string): void {
    const digits = path.startsWith(`${OWN_PATH}/requests/`) ? path.slice(OWN_PATH.length + '/requests/'.length) : '';
    const entry = /^\d+$/.test(digits) && digits.length <= DIGITS_MAX ? this.#parts.log.find(Number(digits)) : undefined;
    if (entry === undefined) return replyWith(exchange, 404, fieldsFor(TEXT), 'Nothing is here; a request may be too long ago.');
    const { root, access } = this.#parts;
    if (entry.failure === null) return replyWith(exchange, 404, fieldsFor(TEXT), 'That request did not fail by an error.');
    const { html, nonce } = toErrorPage(entry.failure, { root, token: access.token, entry });
    replyWith(exchange, 200, fieldsFor(HTML, nonce), html);
  }

  #open(exchange: Exchange, query: URLSearchParams): void {
    const { access, root, openEditor } = this.#parts;
    const say = (status: number, text: string): void => replyWith(exchange, status, fieldsFor(TEXT), text);
    if (exchange.method !== 'POST') return replyWith(exchange, 405, `${fieldsFor(TEXT)}Allow: POST\r\n`, 'This is asked for with POST.');
    const refusal = access.refusalToAct(exchange);
    if (refusal !== null) return say(403, refusal);
    const file = inProject(root, query.get('file') ?? '');
    if (file === undefined) return say(404, 'There is no such file in the project.');
    const place = { file, line: toCount(query.get('line')), column: toCount(query.get('column')) };
    // In a promise: what it throws at once is told as well.
    void (async () => openEditor(place))().then(
      () => say(204, ''),
      (error: unknown) => say(500, error instanceof Error ? error.message : 'No editor was opened.'),
    );
  }
}

function toCount(text: string | null): number {
  return text !== null && /^[1-9]\d*$/.test(text) && text.length <= DIGITS_MAX ? Number(text) : 1;
}
