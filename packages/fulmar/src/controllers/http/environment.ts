/**
 * What the routes of one application share: how requests and responses are made, whether middleware stands before them,
 * what becomes of an error that no filter of a route answers.
 */
import type { Server } from 'node:http';
import type { AnyContext, App } from '../../app/index.ts';
import { ANSWERED } from '../../app/mount.ts';
import { requireFromApplication } from '../../app/openapi/application-package.ts';
import type { Express } from '../../express/index.ts';
import type { ErrorLog } from '../logger.ts';
import type { Host } from '../pipeline/host.ts';
import type { ValidationErrorFormatter } from '../pipes/validation-errors.ts';
import { standWithin } from '../routing/standing.ts';
import { expressDoor, server } from '../lazy.ts';
import { Blocks } from './light-reply.ts';
import type { ExpressDoor, Messages } from './express-door.ts';

export class Environment {
  /** `useLogger()` gives another. */
  logger: ErrorLog;
  /** Express's parsers read contents, and routes find `body`. */
  parsesBody = true;
  /** `req.rawBody`: contents are Express's parsers' alone. */
  keepsRawBody = false;
  /** Each request passes middleware. */
  hasMiddleware = false;
  /** Settings of Express that change what replies are. */
  hasSettings = false;
  /** How what does not fit a schema is told: null as Nest's pipes tell it. */
  errorFormatter: ValidationErrorFormatter | null = null;
  /** The first field lines of a reply, alone and with those of its content. */
  firstLines = '';
  json!: Blocks;
  html!: Blocks;
  /** Answers an error by filters; the application says how, before its first request. */
  fail: (host: Host, error: unknown) => unknown = (_host, error) => {
    throw error;
  };
  #door: ExpressDoor | null = null;
  #hasServer = false;
  #parsers = false;
  /** Routes are made. */
  #isLate = false;

  constructor(logger: ErrorLog) {
    this.logger = logger;
    this.#begin(true);
  }

  #begin(isPowered: boolean): void {
    this.firstLines = isPowered ? 'X-Powered-By: Express\r\n' : '';
    this.json = new Blocks(this.firstLines, 'application/json; charset=utf-8');
    this.html = new Blocks(this.firstLines, 'text/html; charset=utf-8');
  }

  get door(): ExpressDoor {
    return (this.#door ??= expressDoor()());
  }

  /** @throws what a setting of Express throws */
  set(name: string, value: unknown): void {
    this.door.app.set(name, value);
    if (name === 'x-powered-by') this.#begin(value === true);
    else this.hasSettings = true;
  }

  use(...given: unknown[]): void {
    this.door.app.use(...(given as [never]));
    this.hasMiddleware = true;
  }

  /** Sees what Express was told without us. Whatever it is told from now on comes behind the routes, as in Nest. */
  beginLate(): void {
    if (this.#door?.hasMiddleware() === true) this.hasMiddleware = true;
    this.#isLate = true;
  }

  /** Where packages and hooks put Express's middleware and routes. */
  get instance(): Express {
    return this.#isLate ? this.door.late : this.door.app;
  }

  get hasLate(): boolean {
    return this.#door?.hasLate() === true;
  }

  /** @throws Error where the application has no `cors` */
  enableCors(options: unknown): void {
    const cors = requireFromApplication('cors', 'enableCors() answers by the middleware of that name') as (given?: unknown) => unknown;
    this.use(cors(options));
  }

  /** In the place of the one of its kind that there is without it. */
  useParser(type: 'json' | 'urlencoded' | 'text' | 'raw', options: object = {}): void {
    this.use(this.door.parsers[type]({ ...this.#keeping(), ...options } as never));
  }

  /** What makes a parser keep the bytes that it reads. */
  #keeping(): { verify?: (req: Record<string, unknown>, res: unknown, bytes: unknown) => void } {
    return this.keepsRawBody ? { verify: (req, _res, bytes) => void (req['rawBody'] = bytes) } : {};
  }

  serverFor(app: App): Server {
    this.#hasServer = true;
    return server()(app);
  }

  /** One that a test has let listen, and not the application. */
  async closeServer(app: App): Promise<void> {
    if (!this.#hasServer) return;
    const own = server()(app);
    if (own.listening) await new Promise<void>((resolve) => own.close(() => resolve()));
  }

  open(c: AnyContext): Messages {
    return this.door.open(c.exchange, ({ req }) => standWithin(c, req));
  }

  /** Middleware and parsers, then `then`; `failed` for what they hand on. */
  through(c: AnyContext, then: (messages: Messages) => void, failed: (messages: Messages, error: unknown) => void): void {
    const { exchange, lines } = c;
    this.addParsers();
    const { app } = this.door;
    this.door.open(exchange, (messages) => {
      standWithin(c, messages.req);
      for (const [name, value] of lines?.entries() ?? []) messages.res.appendHeader(name, value);
      (app as unknown as (req: unknown, res: unknown, next: (error?: unknown) => void) => void)(messages.req, messages.res, (error) => {
        if (error === undefined || error === null) then(messages);
        else failed(messages, error);
      });
    });
  }

  /** To Express, with its middleware and its last word. */
  leave(c: AnyContext): typeof ANSWERED {
    const { app } = this.door;
    if (this.hasMiddleware) this.addParsers();
    this.door.open(c.exchange, ({ req, res }) => {
      standWithin(c, req);
      app(req, res);
    });
    return ANSWERED;
  }

  /** Behind what the application has used by then, but for those that it has used itself: as Nest's. */
  addParsers(): void {
    if (this.#parsers || !this.parsesBody) return;
    this.#parsers = true;
    const { app, parsers } = this.door;
    const used = new Set(app.router.stack.map(({ handle }) => handle.name));
    const options = this.#keeping() as object;
    for (const parser of [parsers.json(options), parsers.urlencoded({ ...options, extended: true })])
      if (!used.has(parser.name)) app.use(parser);
  }
}
