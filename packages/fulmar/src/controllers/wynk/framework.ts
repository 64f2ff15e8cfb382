/**
 * `WynkFactory` and `WynkFramework`: an application that is there at once and complete when it listens, is built or
 * answers first, with controllers and providers that are registered by then.
 */
import type { App } from '../../app/index.ts';
import { NestApplication } from '../application/application.ts';
import { furnish, provideCore } from '../application/core-providers.ts';
import { type ApplicationOptions, checkApplication } from '../application/options.ts';
import { Container } from '../container/container.ts';
import { Module } from '../decorators/modules.ts';
import { HttpAdapterHost } from '../http/adapter.ts';
import { Logger } from '../logging/logger.ts';
import { toCors } from './cors.ts';
import { WrappedFormatter } from './formatter.ts';
import { Lenient } from './lenient.ts';

export interface WynkOptions extends Omit<ApplicationOptions, 'logger'> {
  /** True: as without it. */
  logger?: ApplicationOptions['logger'] | true;
}

export class WynkFramework extends NestApplication {
  /** @throws TypeError for options that are none; what is wrong with classes, when it is built */
  constructor({ logger, ...given }: WynkOptions = {}) {
    const options = { ...given, ...(logger !== undefined && logger !== true && { logger }) };
    checkApplication(options);
    const { modules = [], controllers = [], providers = [], globalPrefix, cors, validationErrorFormatter, ...rest } = options;
    const container = new Container(furnish, new Lenient());
    const host = new HttpAdapterHost();
    provideCore(container, host);
    const load = async (): Promise<void> => {
      class WynkModule {}
      Module({ imports: modules, controllers, providers })(WynkModule);
      await container.load(WynkModule);
    };
    const allowed = toCors(cors);
    super(container, host, { ...rest, ...(allowed !== undefined && { cors: allowed }) }, load);
    this.useValidationErrorFormatter(new WrappedFormatter(validationErrorFormatter));
    if (options.logger !== undefined) Logger.overrideLogger(options.logger);
    if (typeof globalPrefix === 'string') this.setGlobalPrefix(globalPrefix);
    else if (globalPrefix !== undefined) this.setGlobalPrefix(globalPrefix.prefix, globalPrefix);
  }

  static create(options: WynkOptions = {}): WynkFramework {
    return new WynkFramework(options);
  }

  /** The same as `init()`. */
  build(): Promise<this> {
    return this.init();
  }
  /** What answers. */
  getApp(): App {
    return this.app;
  }
}

/** As WynkJS's, which returns the application itself. */
export const WynkFactory = { create: (options: WynkOptions = {}): WynkFramework => new WynkFramework(options) };
