/**
 * The application: options, middleware, error report. What a request meets is in handle.ts and respond.ts.
 * One class for each version of Koa, made when its entry is loaded.
 */
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { format, inspect } from 'node:util';
import depd from 'depd';
import { noteApplication } from '../host/applications.ts';
import { isShownInDev } from '../host/dev.ts';
import { createServer } from '../http/index.ts';
import { compose } from './compose.ts';
import { type Handling, handlingMembers } from './handle.ts';
import { addMethods, isNativeError, only } from './members.ts';
import { createResponder } from './respond.ts';
import type { ApplicationOptions, Composed, Edition, ErrorLike, KoaApplication, KoaContext, Middleware } from './types.ts';

const SUBDOMAIN_OFFSET_DEFAULT = 2;
const GENERATORS_DEPRECATED =
  'Support for generators will be removed in v3. ' +
  'See the documentation for examples of how to convert old middleware ' +
  'https://github.com/koajs/koa/blob/master/docs/migration.md';

const deprecate = depd('koa');

/** The prototypes that applications of one version inherit from. */
export interface Prototypes {
  readonly context: object;
  readonly request: object;
  readonly response: object;
}

/** `new Koa(options)` with its statics. */
export type ApplicationClass = (new (options?: ApplicationOptions) => KoaApplication) & Record<string, unknown>;

function initialize(app: KoaApplication, options: ApplicationOptions, edition: Edition, prototypes: Prototypes): void {
  app.proxy = options.proxy || false;
  app.subdomainOffset = options.subdomainOffset || SUBDOMAIN_OFFSET_DEFAULT;
  app.proxyIpHeader = options.proxyIpHeader || 'X-Forwarded-For';
  app.maxIpsCount = options.maxIpsCount || 0;
  app.env = options.env || process.env['NODE_ENV'] || 'development';
  if (edition.major === 3) app.compose = options.compose || compose;
  if (options.keys) app.keys = options.keys;
  app.middleware = [];
  noteApplication(app);
  app.context = Object.create(prototypes.context) as object;
  app.request = Object.create(prototypes.request) as object;
  app.response = Object.create(prototypes.response) as object;
  Object.assign(app, { [inspect.custom]: (app as unknown as { inspect: unknown }).inspect });
  if (options.asyncLocalStorage) edition.setStorage(app, options.asyncLocalStorage);
}

/** Methods that are not on the way of a request. */
function applicationMembers({ debug, convertOld }: Edition): object {
  return {
    listen(this: KoaApplication, ...args: []): Server {
      debug('listen');
      return createServer(this.callback()).listen(...args);
    },
    use(this: KoaApplication, middleware: Middleware & { readonly _name?: string }): KoaApplication {
      if (typeof middleware !== 'function') throw new TypeError('middleware must be a function!');
      const converted: typeof middleware | null = convertOld(middleware);
      // Called here, as upstream does: the notice names, and is told once for, the code that called `use`.
      if (converted !== null) deprecate(GENERATORS_DEPRECATED);
      const adopted = converted ?? middleware;
      debug('use %s', adopted._name || adopted.name || '-');
      this.middleware.push(adopted);
      return this;
    },
    toJSON(this: KoaApplication): object {
      return only(this, ['subdomainOffset', 'proxy', 'env']);
    },
    inspect(this: KoaApplication): object {
      return this.toJSON();
    },
    get currentContext(): KoaContext | undefined {
      return (this as unknown as KoaApplication).ctxStorage?.getStore();
    },
    /** Reports what the client is not told about on stderr, unless `silent`. */
    onerror(this: KoaApplication, error: ErrorLike): void {
      if (!isNativeError(error)) throw new TypeError(format('non-error thrown: %j', error));
      if (error.status === 404 || error.expose || this.silent || isShownInDev(error)) return;
      const text = error.stack || error.toString();
      console.error(`\n${text.replaceAll(/^/gm, '  ')}\n`);
    },
  };
}

/** Makes the application class of one version. */
export function createApplicationClass(edition: Edition, prototypes: Prototypes, statics: object): ApplicationClass {
  class Application extends EventEmitter {
    constructor(options?: ApplicationOptions) {
      super();
      initialize(this as unknown as KoaApplication, options || {}, edition, prototypes);
    }

    static get default(): typeof Application {
      return Application;
    }
  }
  const { onerror } = prototypes.context as KoaContext;
  const composeOf = (app: KoaApplication): Composed => (edition.major === 2 ? compose(app.middleware) : app.compose(app.middleware));
  const handling: Handling = { respond: createResponder(edition), onerror, composeOf };
  addMethods(Application.prototype, applicationMembers(edition));
  addMethods(Application.prototype, handlingMembers(handling));
  return Object.assign(Application, statics) as unknown as ApplicationClass;
}
