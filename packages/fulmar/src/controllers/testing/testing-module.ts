/**
 * The modules of a test, with their providers made: asked for what it tests, or made an application that answers
 * requests, by `inject()` or by its server.
 */
import { NestApplication } from '../application/application.ts';
import { runEndHooks, runStartHooks } from '../application/lifecycle.ts';
import { checkCreate, type NestApplicationOptions } from '../application/options.ts';
import type { Container } from '../container/container.ts';
import type { ContextId } from '../container/context-id.ts';
import { type GetOptions, ModuleRef } from '../container/module-ref.ts';
import type { HttpAdapterHost } from '../http/adapter.ts';
import { type LoggerService, toErrorLog } from '../logger.ts';
import type { InjectionToken, Type } from '../nest-types.ts';

export class TestingModule {
  readonly #container: Container;
  readonly #host: HttpAdapterHost;
  readonly #logger: LoggerService | false | undefined;
  readonly #root: ModuleRef;
  #starting: Promise<void> | null = null;
  #ending: Promise<void> | null = null;

  /** @internal By `compile()`. */
  constructor(container: Container, host: HttpAdapterHost, logger: LoggerService | false | undefined) {
    this.#container = container;
    this.#host = host;
    this.#logger = logger;
    this.#root = new ModuleRef(container, container.root ?? container.core);
  }

  /** @throws TypeError for an option that is none */
  createNestApplication<T extends NestApplication = NestApplication>(options: NestApplicationOptions = {}): T {
    if (typeof (options as { patch?: unknown }).patch === 'function')
      throw new TypeError('createNestApplication() takes options alone: what it answers by is Fulmar, and no adapter can be given.');
    checkCreate(options, 'createNestApplication');
    const logger = options.logger ?? this.#logger;
    return new NestApplication(this.#container, this.#host, { ...options, ...(logger !== undefined && { logger }) }) as T;
  }

  /** In whichever module it is, unless `strict`. @throws UnknownElementException for what nothing provides */
  get<T = any, R = T>(token: InjectionToken<T>, options: GetOptions = {}): R {
    return this.#root.get<T, R>(token, { strict: false, ...options });
  }
  resolve<T = any, R = T>(token: InjectionToken<T>, contextId?: ContextId, options: GetOptions = {}): Promise<R> {
    return this.#root.resolve<T, R>(token, contextId, { strict: false, ...options });
  }
  registerRequestByContextId<T = any>(request: T, contextId: ContextId): void {
    this.#root.registerRequestByContextId(request, contextId);
  }

  /** What one module sees. @throws Error for a module that the test has not */
  select(module: Type<any>): ModuleRef {
    const found = [...this.#container.modules.values()].find(({ metatype }) => metatype === module);
    if (found === undefined) throw new Error(`${module.name} is no module of this test: import it in createTestingModule().`);
    return new ModuleRef(this.#container, found, false);
  }

  /** Hooks of the start, once. An application of it runs them itself. */
  async init(): Promise<this> {
    await (this.#starting ??= this.#start());
    return this;
  }
  async #start(): Promise<void> {
    await runStartHooks(this.#container, 'onModuleInit');
    await runStartHooks(this.#container, 'onApplicationBootstrap');
  }

  /** Hooks of the end, once, when those of the start that were begun are over. */
  async close(signal?: string): Promise<void> {
    await (this.#ending ??= this.#end(signal));
  }
  async #end(signal: string | undefined): Promise<void> {
    // Who began it has been told what went wrong.
    await this.#starting?.catch(() => undefined);
    const log = toErrorLog(this.#logger);
    await runEndHooks(this.#container, 'onModuleDestroy', log);
    await runEndHooks(this.#container, 'beforeApplicationShutdown', log, signal);
    await runEndHooks(this.#container, 'onApplicationShutdown', log, signal);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
