/**
 * `express()`: makes an application. An application is a function with the members of `express.application`
 * and of EventEmitter, and with message prototypes (and classes) of its own. Runs at start-up only.
 */
import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from '../http/index.ts';
import { kMessageClasses, type MessageClasses } from '../http/message-classes.ts';
import { application } from './application.ts';
import type { Application } from './application-types.ts';
import type { ExpressRequest, ExpressResponse, Next } from './message-types.ts';
import { request } from './request.ts';
import { response } from './response.ts';

/** What the applications of one version of Express are made from. */
export interface ApplicationParts {
  readonly application: Application;
  readonly request: object;
  readonly response: object;
  /**
   * Whether requests may come into being with the application's prototypes; always, unless it is said here.
   */
  readonly ownsMessages?: (app: Application) => boolean;
}

export const createApplication = createApplicationFactory({ application, request, response });

/** Makes the function that is `express` for one version. */
export function createApplicationFactory(parts: ApplicationParts): () => Application {
  return function createApplication() {
    const app = function (req: ExpressRequest, res: ExpressResponse, next: Next): void {
      app.handle(req, res, next);
    } as unknown as Application;
    mixin(app, EventEmitter.prototype);
    mixin(app, parts.application);
    defineMessages(app, parts);
    app.init();
    return app;
  };
}

const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, hasOwn } = Object;

/** Copies members, accessors included, that the target does not have yet. */
function mixin(target: object, source: object): void {
  for (const name of getOwnPropertyNames(source)) {
    if (!hasOwn(target, name)) defineProperty(target, name, getOwnPropertyDescriptor(source, name) as PropertyDescriptor);
  }
}

/**
 * `app.request` and `app.response` are the prototypes of classes that our http server can instantiate, so
 * that requests it makes for this application need no new prototype.
 */
function defineMessages(app: Application, parts: ApplicationParts): void {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  app.request = toPrototype(Request, parts.request, app);
  app.response = toPrototype(Response, parts.response, app);
  const perRequest = ({ _routing }: Partial<ExpressRequest>): object[] => (_routing === undefined ? [] : [_routing]);
  const classes = { Request, Response, perRequest } as unknown as MessageClasses;
  Object.defineProperty(app, kMessageClasses, {
    configurable: true,
    // Somebody may have replaced the prototypes: then messages are adopted one by one.
    get: () => {
      const isOurs = app.request === Request.prototype && app.response === Response.prototype;
      return isOurs && parts.ownsMessages?.(app) !== false ? classes : undefined;
    },
  });
}

function toPrototype(Class: { readonly prototype: object }, parent: object, app: Application): object {
  const { prototype } = Class;
  delete (prototype as { constructor?: unknown }).constructor;
  Object.setPrototypeOf(prototype, parent);
  Object.defineProperty(prototype, 'app', { configurable: true, enumerable: true, writable: true, value: app });
  return prototype;
}
