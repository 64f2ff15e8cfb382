/**
 * The inspector of a process: keeps what happened, prints it, tells open pages, and changes replies on their way where
 * a browser is to see more. One for each process; stands under `fulmar.dev` (`host/globals.ts`) for as long as it runs.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { ReplyFlag } from '../exchange/format.ts';
import { allRoutes } from '../app/registry/index.ts';
import type { RequestScope } from '../http/context.ts';
import type { Exchange, ServerObserver } from '../exchange/types.ts';
import { plain } from '../launch/terminal/paint.ts';
import { Access } from './access.ts';
import { Endpoints } from './endpoints.ts';
import { openInEditor } from './editor.ts';
import { toErrorPage } from './error-page.ts';
import { Events } from './events.ts';
import { type Failure, readFailure } from './failure.ts';
import type { Head } from './held-page.ts';
import { INJECTED_BYTES_MAX } from './limits.ts';
import { fieldsFor, flagsFor, HTML, replyWith, TEXT } from './own-reply.ts';
import { isHtml, type WholeReply, withPage, withScript } from './reply-change.ts';
import { paramsOf, type RequestEntry, RequestLog } from './request-log.ts';
import { paramsByRoutes } from './route-match.ts';
import { toRow } from './request-row.ts';
import { listRoutes } from './routes.ts';
import { Terminal, toTerminal } from './terminal.ts';
import type { InspectorOptions, RouteRow } from './types.ts';
import { WatchedObserver, type Watcher } from './watched.ts';
import { watchReply } from './watched-exchange.ts';

const FAILED = 500;
const VERSION_BYTES = 6;

/** Values of Sec-Fetch-Dest of what a browser shows; older ones and other programs send none. */
const DOCUMENTS: ReadonlySet<string | undefined> = new Set([undefined, 'document', 'iframe', 'frame']);

interface Noted {
  readonly entry: RequestEntry;
  readonly place: WatchedObserver;
}

export class Inspecting implements Watcher {
  isOpen = true;
  readonly #options: InspectorOptions;
  readonly #access: Access;
  readonly #terminal: Terminal;
  readonly #events = new Events(toRow);
  readonly #log = new RequestLog((entry) => this.#events.note(entry));
  readonly #endpoints: Endpoints;
  readonly #noted = new WeakMap<object, Noted>();
  /** Exchanges without an answer, for an error that nobody caught. */
  readonly #waiting = new Set<Exchange>();
  readonly #shown = new WeakSet<object>();
  /** Weakly: a timer that a request has left is no reason to keep it. */
  readonly #asked = new AsyncLocalStorage<WeakRef<Exchange>>();
  /** Of what is loaded: a page that has another one is old, also after a start. */
  #version = newVersion();
  #broken: Failure | null = null;
  #routes: Promise<readonly RouteRow[]> | null = null;

  constructor(options: InspectorOptions) {
    this.#options = options;
    this.#access = new Access(options);
    this.#terminal = new Terminal(options.output ?? process.stderr, options.root);
    const { root, openEditor = openInEditor } = options;
    this.#endpoints = new Endpoints({
      root,
      openEditor,
      access: this.#access,
      events: this.#events,
      log: this.#log,
      routes: () => this.#listRoutes(),
      hello: () => ({ version: this.#version, broken: this.#brokenText() }),
    });
  }

  // What servers and frameworks tell, through `host/globals.ts`.

  watch<Observer extends object>(observer: Observer, target: object): Observer {
    return new WatchedObserver(observer as unknown as ServerObserver, target, this) as unknown as Observer;
  }

  /** Each request knows itself in what it leaves to run later. */
  scope<Scope>(given: Scope): Scope {
    const scope = given as RequestScope;
    const asked = this.#asked;
    const scoped: RequestScope = (call, a, b, exchange) =>
      scope((first, second, one) => asked.run(new WeakRef(one), call, first, second, one), a, b, exchange);
    return scoped as Scope;
  }

  failed(key: object, error: unknown, params?: unknown): boolean {
    const exchange = exchangeOf(key);
    const noted = this.#noted.get(exchange);
    if (noted === undefined || !this.isOpen) return false;
    const { entry } = noted;
    const failure = readFailure(error);
    entry.failure = failure;
    entry.params ??= paramsOf(params) ?? paramsByRoutes(allRoutes(), entry.method, entry.target);
    this.#log.changed(entry);
    if (isObject(error)) this.#shown.add(error);
    this.#terminal.print(`${entry.method} ${entry.target}`, failure);
    return true;
  }

  isShown(error: unknown): boolean {
    return isObject(error) && this.#shown.has(error);
  }

  // What the listeners' observers hand on.

  answer(exchange: Exchange, place: WatchedObserver): void {
    this.#endpoints.answer(exchange, place);
  }

  note(exchange: Exchange, place: WatchedObserver): void {
    const entry = this.#log.add(exchange);
    this.#noted.set(exchange, { entry, place });
    this.#waiting.add(exchange);
    watchReply(exchange, {
      entry,
      change: (reply) => this.#changed(exchange, reply),
      wantsPage: (head) => this.#wantsPage(exchange, head),
      changed: () => {
        this.#waiting.delete(exchange);
        this.#log.changed(entry);
      },
    });
  }

  // What the dev server says.

  reloaded(files: readonly string[]): void {
    this.#version = newVersion();
    this.#terminal.forget();
    this.#events.tell('reload', { version: this.#version, files });
  }

  broken(error: unknown): void {
    const failure = readFailure(error);
    this.#broken = failure;
    this.#terminal.print('a file cannot be loaded', failure);
    this.#events.tell('broken', this.#brokenText() as object);
  }

  mended(): void {
    if (this.#broken === null) return;
    this.#broken = null;
    this.#terminal.forget();
    this.#events.tell('mended', {});
  }

  uncaught(error: unknown): boolean {
    const asking = this.#asked.getStore()?.deref() ?? this.#onlyWaiting();
    if (asking !== undefined && this.failed(asking, error)) {
      this.#answerFailed(asking);
      return true;
    }
    this.#terminal.print('An error that nobody caught', readFailure(error));
    return false;
  }

  errorPage(error: unknown): string {
    return toErrorPage(readFailure(error), { root: this.#options.root, token: this.#access.token, entry: null }).html;
  }

  close(): void {
    this.isOpen = false;
    this.#events.close();
    this.#waiting.clear();
  }

  #brokenText(): { title: string; text: string } | null {
    if (this.#broken === null) return null;
    return { title: 'A file cannot be loaded', text: toTerminal(this.#broken, this.#options.root, plain) };
  }

  /** Pages that ask at the same time share an answer. */
  #listRoutes(): Promise<readonly RouteRow[]> {
    const list = this.#options.listRoutes ?? listRoutes;
    return (this.#routes ??= Promise.resolve()
      .then(list)
      .finally(() => void (this.#routes = null)));
  }

  /** What an emitter throws in a microtask has no context on Node 20. */
  #onlyWaiting(): Exchange | undefined {
    const [only, ...others] = [...this.#waiting].filter((exchange) => !exchange.begun);
    return others.length === 0 ? only : undefined;
  }

  /** A browser's own machine, under a name of it, asks for a page. */
  #isForPage(exchange: Exchange): boolean {
    const noted = this.#noted.get(exchange);
    if (noted === undefined || !this.isOpen || !/(?:^|,)\s{0,20}text\/html\s{0,20}(?:[;,]|$)/i.test(exchange.header('accept') ?? ''))
      return false;
    return this.#access.refusal(exchange, noted.place.target) === null;
  }

  /** It becomes a page of its own, and no part that a script puts into another one. */
  #isForScript(exchange: Exchange): boolean {
    if (this.#options.inject === false || !DOCUMENTS.has(exchange.header('sec-fetch-dest'))) return false;
    return this.#isForPage(exchange);
  }

  /** Whatever goes wrong here, the application's reply goes out. */
  #changed(exchange: Exchange, reply: WholeReply): WholeReply {
    try {
      const failure = this.#noted.get(exchange)?.entry.failure ?? null;
      const isFailure = failure !== null && reply.status >= FAILED && (reply.flags & ReplyFlag.noContent) === 0;
      if (!isFailure) return this.#isForScript(exchange) ? withScript(reply) : reply;
      if (!this.#isForPage(exchange)) return reply;
      const { html, nonce } = this.#pageOf(exchange, failure);
      return withPage(reply, { fields: fieldsFor(HTML, nonce), html });
    } catch (error) {
      this.#terminal.print('fulmar dev could not change a reply', readFailure(error));
      return reply;
    }
  }

  #pageOf(exchange: Exchange, failure: Failure): { html: string; nonce: string } {
    const entry = this.#noted.get(exchange)?.entry ?? null;
    return toErrorPage(failure, { root: this.#options.root, token: this.#access.token, entry });
  }

  #wantsPage(exchange: Exchange, [status, , block, flags, length]: Head): boolean {
    if (status !== 200 || length <= 0 || length > INJECTED_BYTES_MAX || (flags & ReplyFlag.noContent) !== 0) return false;
    return isHtml(block) && this.#isForScript(exchange);
  }

  #answerFailed(exchange: Exchange): void {
    if (exchange.begun) {
      if (exchange.open) exchange.abort();
      return;
    }
    // The page comes of the reply, as for any other.
    if (exchange.method === 'HEAD') replyWith(exchange, FAILED, fieldsFor(TEXT), '');
    else exchange.reply(FAILED, null, fieldsFor(TEXT), flagsFor(exchange) | ReplyFlag.contentLength, 'Internal Server Error\n');
  }
}

const newVersion = (): string => randomBytes(VERSION_BYTES).toString('hex');
const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Messages have their exchange in a field. */
const exchangeOf = (key: object): object => (key as { readonly _exchange?: object })._exchange ?? key;
