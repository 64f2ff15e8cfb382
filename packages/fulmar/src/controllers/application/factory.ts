/**
 * `NestFactory.create()` and `createApplication()`: an application from its modules.
 */
import { Container } from '../container/container.ts';
import { Module } from '../decorators/modules.ts';
import { HttpAdapter, HttpAdapterHost } from '../http/adapter.ts';
import { Environment } from '../http/environment.ts';
import { ExpressAdapter } from '../http/express-adapter.ts';
import { toErrorLog } from '../logger.ts';
import type { DynamicModule, Type } from '../nest-types.ts';
import { Logger } from '../logging/logger.ts';
import { type INestApplicationContext, NestApplication } from './application.ts';
import { furnish, provideCore } from './core-providers.ts';
import { type ApplicationOptions, checkApplication, checkCreate, type NestApplicationOptions } from './options.ts';

type Root = Type<any> | DynamicModule | Promise<Type<any> | DynamicModule>;

/** `serves`: it is more than a context. */
async function make(root: Root, options: NestApplicationOptions, serves = true): Promise<NestApplication> {
  if (options.logger !== undefined) Logger.overrideLogger(options.logger);
  if (options.bufferLogs === true) Logger.attachBuffer();
  const container = new Container(furnish);
  const host = new HttpAdapterHost();
  if (serves) host.httpAdapter = new HttpAdapter(new Environment(toErrorLog(options.logger)));
  provideCore(container, host);
  try {
    await container.load(root);
  } catch (error) {
    if (options.autoFlushLogs !== false) Logger.flush();
    throw error;
  }
  return new NestApplication(container, host, options);
}

class NestFactoryStatic {
  /** @throws ContainerError for modules and providers that do not fit; what constructors and factories throw */
  async create<T extends NestApplication = NestApplication>(
    root: Root,
    adapterOrOptions: ExpressAdapter | NestApplicationOptions = {},
    optionsOfAdapter: NestApplicationOptions = {},
  ): Promise<T> {
    const options = adapterOrOptions instanceof ExpressAdapter ? optionsOfAdapter : (adapterOrOptions as NestApplicationOptions);
    checkCreate(options);
    return (await make(root, options)) as T;
  }

  /** Providers without a port: everything is made, and the hooks of the start have run. @throws the same */
  async createApplicationContext(root: Root, options: NestApplicationOptions = {}): Promise<INestApplicationContext> {
    checkCreate(options);
    return (await make(root, options, false)).init();
  }
}

export const NestFactory = new NestFactoryStatic();

/** An application without a module of its own: what is given stands in one. */
export async function createApplication(options: ApplicationOptions = {}): Promise<NestApplication> {
  checkApplication(options);
  const { modules = [], controllers = [], providers = [], globalPrefix, validationErrorFormatter, ...rest } = options;
  class ApplicationModule {}
  Module({ imports: modules, controllers, providers })(ApplicationModule);
  const application = await make(ApplicationModule, rest);
  if (validationErrorFormatter !== undefined) application.useValidationErrorFormatter(validationErrorFormatter);
  if (typeof globalPrefix === 'string') application.setGlobalPrefix(globalPrefix);
  else if (globalPrefix !== undefined) application.setGlobalPrefix(globalPrefix.prefix, globalPrefix);
  return application;
}
