/**
 * An application of modules as its main file sees it: Nest's `INestApplication`. What it answers with is an app of
 * ours, `app.app`, which is complete when `init()` has run; before that it only gathers what it is told.
 */
import type { Server } from 'node:http';
import { App, createApp, type InjectOptions, type InjectReply } from '../../app/index.ts';
import type { Container } from '../container/container.ts';
import type { ContextId } from '../container/context-id.ts';
import { type GetOptions, ModuleRef } from '../container/module-ref.ts';
import { checkEnhancer } from '../decorators/enhancers.ts';
import { Environment } from '../http/environment.ts';
import { HttpAdapter, HttpAdapterHost } from '../http/adapter.ts';
import { toException } from '../exceptions/external.ts';
import { KEYS } from '../metadata/keys.ts';
import type {
  CanActivate,
  ExceptionFilter,
  InjectionToken,
  NestInterceptor,
  PipeTransform,
  Provider,
  Type,
  VersioningOptions,
} from '../nest-types.ts';
import type { EnhancerKey } from '../pipeline/enhancers.ts';
import { answerByFilters, surely } from '../pipeline/filters.ts';
import { checkVersioning } from '../routing/version-match.ts';
import { NO_PREFIX, type Prefix, toPrefix } from '../routing/paths.ts';
import { type ErrorLog, type LoggerService, type LogLevel, toErrorLog } from '../logger.ts';
import { Logger } from '../logging/logger.ts';
import type { ValidationErrorFormatter } from '../pipes/validation-errors.ts';
import { ApplicationConfig } from './application-config.ts';
import { Assembly } from './assembly.ts';
import { runEndHooks, runStartHooks } from './lifecycle.ts';
import { type CorsOptions, type CorsOptionsDelegate, type GlobalPrefixOptions, isLogger, type NestApplicationOptions } from './options.ts';
import type { RouteRules } from './routes.ts';
import { onSignals } from './signals.ts';

type Address = string | { readonly address: string; readonly port: number; readonly family: string };

export class NestApplication {
  /** What answers: it can be mounted, registered and listened with as any app. */
  readonly app: App;
  readonly #container: Container;
  readonly #root: ModuleRef;
  readonly #environment: Environment;
  readonly #adapter: HttpAdapter;
  readonly #host: HttpAdapterHost;
  readonly #log: ErrorLog;
  readonly #flushesLogs: boolean;
  readonly #globals: Record<EnhancerKey, unknown[]> = {
    [KEYS.guards]: [],
    [KEYS.interceptors]: [],
    [KEYS.pipes]: [],
    [KEYS.filters]: [],
  };
  readonly #before: (() => Promise<void>) | null;
  readonly #added = { controllers: [] as Type<any>[], providers: [] as Provider[] };
  #prefix: Prefix = NO_PREFIX;
  #versioning: VersioningOptions | null = null;
  #assembly: Assembly | null = null;
  #initializing: Promise<void> | null = null;
  #ending: Promise<void> | null = null;
  #signal: string | undefined;

  /** @internal By `NestFactory.create()`. `before`: loads modules that are not loaded yet. */
  constructor(container: Container, host: HttpAdapterHost, options: NestApplicationOptions, before: (() => Promise<void>) | null = null) {
    this.#before = before;
    this.#container = container;
    this.#root = new ModuleRef(container, container.root ?? container.core);
    this.#log = { error: (...what) => this.#environment.logger.error(...what) };
    this.#flushesLogs = options.autoFlushLogs !== false;
    // Only what was asked for: within another app the options of that one hold.
    this.app = createApp({
      ...(options.logger !== undefined && { logger: this.#log }),
      ...(options.trustProxy !== undefined && { trustProxy: options.trustProxy }),
    });
    const serverOf = (): Server => this.getHttpServer();
    const given = (host.httpAdapter as HttpAdapter | null)?.belongTo(serverOf) ?? null;
    this.#environment = given ?? new Environment(toErrorLog(options.logger));
    this.#environment.fail = (failed, error) =>
      surely(failed, () => answerByFilters(failed, toException(error), this.#assembly?.filters ?? [], true));
    this.#environment.parsesBody = options.bodyParser !== false;
    this.#environment.keepsRawBody = options.rawBody === true;
    this.#host = host;
    if (given === null) {
      host.httpAdapter = new HttpAdapter(this.#environment);
      host.httpAdapter.belongTo(serverOf);
    }
    this.#adapter = host.httpAdapter;
    this.app.onReady(() => this.#initialize());
    this.app.onDrain(() => this.#beforeEnd());
    this.app.onStop(() => this.#end());
    const { cors = false } = options;
    if (cors !== false) this.enableCors(cors === true ? undefined : cors);
  }

  /** Everything is made, checked and started, without a port. @throws what is wrong with it */
  async init(): Promise<this> {
    await this.app.ready();
    return this;
  }

  #initialize(): Promise<void> {
    return (this.#initializing ??= this.#assemble().finally(() => {
      if (this.#flushesLogs) Logger.flush();
    }));
  }

  /** Of all messages from now on, and of those that `bufferLogs` has held back. @throws TypeError for what is none */
  useLogger(logger: LoggerService | LogLevel[] | false): this {
    if (!isLogger(logger)) throw new TypeError('useLogger() takes false, a list of levels, or an object with error(), warn() and log().');
    Logger.overrideLogger(logger);
    this.#environment.logger = toErrorLog(logger);
    Logger.flush();
    return this;
  }
  /** Writes what `bufferLogs` has held back. */
  flushLogs(): this {
    Logger.flush();
    return this;
  }

  async #assemble(): Promise<void> {
    await this.#before?.();
    if (this.#added.providers.length + this.#added.controllers.length > 0)
      await this.#container.extend(this.#container.root ?? this.#container.core, this.#added);
    const settings = { prefix: this.#prefix, versioning: this.#versioning, globals: this.#globals };
    this.#assembly = new Assembly(this.app, this.#container, this.#environment, settings);
    await this.#assembly.build();
    this.#environment.beginLate();
    await runStartHooks(this.#container, 'onModuleInit');
    await runStartHooks(this.#container, 'onApplicationBootstrap');
  }

  #early(what: string): void {
    if (this.#initializing !== null) throw new Error(`${what}() changes routes that are made already: call it before init() and listen().`);
  }

  /** More of what the root module has, as if it stood there; told at `init()` where something of it is wrong. */
  registerControllers(...controllers: Type<any>[]): this {
    this.#early('registerControllers');
    this.#added.controllers.push(...controllers);
    return this;
  }
  registerProviders(...providers: Provider[]): this {
    this.#early('registerProviders');
    this.#added.providers.push(...providers);
    return this;
  }

  /** Express's middleware, for all or below a path. */
  use(...given: any[]): this {
    this.#environment.use(...given);
    return this;
  }

  useGlobalGuards(...guards: CanActivate[]): this {
    return this.#useGlobal('useGlobalGuards', KEYS.guards, 'canActivate', guards);
  }
  useGlobalInterceptors(...interceptors: NestInterceptor[]): this {
    return this.#useGlobal('useGlobalInterceptors', KEYS.interceptors, 'intercept', interceptors);
  }
  useGlobalPipes(...pipes: PipeTransform<any>[]): this {
    return this.#useGlobal('useGlobalPipes', KEYS.pipes, 'transform', pipes);
  }
  useGlobalFilters(...filters: ExceptionFilter[]): this {
    return this.#useGlobal('useGlobalFilters', KEYS.filters, 'catch', filters);
  }

  #useGlobal(who: string, key: EnhancerKey, method: string, given: readonly unknown[]): this {
    this.#early(who);
    for (const one of given) {
      checkEnhancer(`${who}()`, method, one);
      if (typeof one === 'function')
        throw new TypeError(`${who}() takes instances, and ${one.name} is a class: give new ${one.name}(…), or provide it as APP_….`);
      this.#globals[key].push(one);
    }
    return this;
  }

  /** How what does not fit a schema is told. */
  useValidationErrorFormatter(formatter: ValidationErrorFormatter): this {
    this.#environment.errorFormatter = formatter;
    return this;
  }

  setGlobalPrefix(prefix: string, { exclude }: GlobalPrefixOptions = {}): this {
    this.#early('setGlobalPrefix');
    this.#prefix = toPrefix(prefix, exclude);
    this.get(ApplicationConfig).note({ prefix });
    return this;
  }

  enableVersioning(options: VersioningOptions = { type: 0 }): this {
    this.#early('enableVersioning');
    checkVersioning(options);
    this.#versioning = options;
    this.get(ApplicationConfig).note({ versioning: options });
    return this;
  }

  /** By the application's own `cors` package. */
  enableCors(options?: CorsOptions | CorsOptionsDelegate): this {
    this.#environment.enableCors(options);
    return this;
  }

  /** Of `@Render()`: where views are, and by which package they are made. */
  setBaseViewsDir(path: string | string[]): this {
    return this.set('views', path);
  }
  setViewEngine(engine: string): this {
    return this.set('view engine', engine);
  }
  engine(extension: string, render: (...given: any[]) => any): this {
    this.#environment.door.app.engine(extension, render as never);
    return this;
  }
  /** A setting of Express. */
  set(name: string, value: unknown): this {
    this.#environment.set(name, value);
    return this;
  }
  enable(name: string): this {
    return this.set(name, true);
  }
  disable(name: string): this {
    return this.set(name, false);
  }
  /** Of `res.render()` and of views: a value that all of them have. */
  setLocal(name: string, value: unknown): this {
    this.#environment.door.app.locals[name] = value;
    return this;
  }
  useStaticAssets(path: string, options: { prefix?: string; [option: string]: unknown } = {}): this {
    const { prefix, ...rest } = options;
    const files = this.#environment.door.parsers.static(path, rest as never);
    return prefix === undefined ? this.use(files) : this.use(prefix, files);
  }
  useBodyParser(type: 'json' | 'urlencoded' | 'text' | 'raw', options?: object): this {
    this.#environment.useParser(type, options);
    return this;
  }

  get<T = any, R = T>(token: InjectionToken<T>, options: GetOptions = {}): R {
    return this.#root.get<T, R>(token, { strict: false, ...options });
  }
  resolve<T = any, R = T>(token: InjectionToken<T>, contextId?: ContextId, options: GetOptions = {}): Promise<R> {
    return this.#root.resolve<T, R>(token, contextId, { strict: false, ...options });
  }
  registerRequestByContextId<T = any>(request: T, contextId: ContextId): void {
    this.#root.registerRequestByContextId(request, contextId);
  }
  /** What one module sees. */
  select(module: Type<any>): ModuleRef {
    const found = [...this.#container.modules.values()].find(({ metatype }) => metatype === module);
    if (found === undefined) throw new Error(`${module.name} is no module of this application.`);
    return new ModuleRef(this.#container, found, false);
  }

  /** @internal What documents are made of. */
  describe(isBare: boolean): { readonly container: Container; readonly rules: RouteRules } {
    return { container: this.#container, rules: { prefix: isBare ? NO_PREFIX : this.#prefix, versioning: this.#versioning } };
  }

  getHttpAdapter(): HttpAdapter {
    return this.#adapter;
  }
  /** The server that listens, or will. */
  getHttpServer(): Server {
    return this.#environment.serverFor(this.app);
  }

  /** Resolves to the server when it listens; `PORT` of the environment without a port. */
  async listen(port?: number | string, ...more: unknown[]): Promise<Server> {
    const callback = more.find((one): one is () => void => typeof one === 'function');
    const host = more.find((one): one is string => typeof one === 'string');
    const isPath = typeof port === 'string' && !/^\d+$/.test(port);
    const target = isPath ? { path: port } : { ...(port !== undefined && { port: Number(port) }), ...(host !== undefined && { host }) };
    const server = await this.app.listen(target);
    this.#host.listening = true;
    callback?.();
    return server;
  }

  async getUrl(): Promise<string> {
    await Promise.resolve();
    const address = this.getHttpServer().address() as Address | null;
    if (address === null) throw new Error('getUrl() is for an application that listens: await listen() first.');
    if (typeof address === 'string') return address;
    const isAny = address.address === '::' || address.address === '0.0.0.0';
    return `http://${isAny ? '[::1]' : address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  }

  /** A request without a port. */
  async inject(request: InjectOptions | string): Promise<InjectReply> {
    await this.init();
    return this.app.inject(request);
  }
  readonly fetch = (request: Request): Promise<Response> => this.app.fetch(request);
  handle(request: Request): Promise<Response> {
    return this.app.fetch(request);
  }

  /** Ends it: hooks, the server, hooks. */
  async close(signal?: string): Promise<void> {
    this.#signal ??= signal;
    await this.app.close();
    await this.#environment.closeServer(this.app);
    this.#host.listening = false;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** A signal ends it as `close()` does; all of those that end a process without a list. */
  enableShutdownHooks(signals?: readonly string[]): this {
    onSignals(signals, (signal) => this.close(signal));
    return this;
  }

  #beforeEnd(): Promise<void> {
    return (this.#ending ??= this.#runBeforeEnd());
  }

  async #runBeforeEnd(): Promise<void> {
    await runEndHooks(this.#container, 'onModuleDestroy', this.#log);
    await runEndHooks(this.#container, 'beforeApplicationShutdown', this.#log, this.#signal);
  }

  async #end(): Promise<void> {
    await this.#beforeEnd();
    await runEndHooks(this.#container, 'onApplicationShutdown', this.#log, this.#signal);
  }
}

/** `TServer`: what `getHttpServer()` is for who asks. Tests that Nest's command makes say `INestApplication<App>`, of supertest. */
export type INestApplication<TServer = Server> = { getHttpServer(): TServer } & NestApplication;
/** What Nest's platform for Express adds is there. */
export type NestExpressApplication<TServer = Server> = INestApplication<TServer>;
/** What there is without routes. */
export type INestApplicationContext = Pick<
  NestApplication,
  'get' | 'resolve' | 'select' | 'registerRequestByContextId' | 'init' | 'close' | 'enableShutdownHooks' | 'useLogger' | 'flushLogs'
>;
