/**
 * How contexts are made: one constructor each for context, request and response of an application, with the
 * prototypes that the application has at that time, so that all of one kind share a hidden class. Own
 * properties and their order are upstream's.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KoaApplication, KoaContext, KoaRequest, KoaResponse } from './types.ts';

type ContextMaker = new (request: KoaRequest, response: KoaResponse) => KoaContext;
type RequestMaker = new (app: KoaApplication, req: IncomingMessage, res: ServerResponse) => KoaRequest;
type ResponseMaker = new (app: KoaApplication, req: IncomingMessage, res: ServerResponse) => KoaResponse;

function withPrototype<F>(make: F, prototype: object): F {
  (make as { prototype: object }).prototype = prototype;
  return make;
}

function contextMaker(prototype: object): ContextMaker {
  function Context(this: KoaContext, request: KoaRequest, response: KoaResponse): void {
    const { req } = request;
    this.request = request;
    this.response = response;
    this.app = request.app;
    this.req = req;
    this.res = request.res;
    request.ctx = this;
    response.ctx = this;
    request.response = response;
    response.request = request;
    this.originalUrl = req.url as string;
    request.originalUrl = req.url as string;
    this.state = {};
  }
  return withPrototype(Context, prototype) as unknown as ContextMaker;
}

function requestMaker(prototype: object): RequestMaker {
  function Request(this: KoaRequest, app: KoaApplication, req: IncomingMessage, res: ServerResponse): void {
    this.app = app;
    this.req = req;
    this.res = res;
  }
  return withPrototype(Request, prototype) as unknown as RequestMaker;
}

function responseMaker(prototype: object): ResponseMaker {
  function Response(this: KoaResponse, app: KoaApplication, req: IncomingMessage, res: ServerResponse): void {
    this.app = app;
    this.req = req;
    this.res = res;
  }
  return withPrototype(Response, prototype) as unknown as ResponseMaker;
}

/** The constructors for the prototypes of one application. */
export class Blueprint {
  private readonly _context: object;
  private readonly _request: object;
  private readonly _response: object;
  private readonly _Context: ContextMaker;
  private readonly _Request: RequestMaker;
  private readonly _Response: ResponseMaker;

  constructor({ context, request, response }: KoaApplication) {
    this._context = context;
    this._request = request;
    this._response = response;
    this._Context = contextMaker(context);
    this._Request = requestMaker(request);
    this._Response = responseMaker(response);
  }

  /** False once a prototype of the application has been replaced. */
  fits({ context, request, response }: KoaApplication): boolean {
    return context === this._context && request === this._request && response === this._response;
  }

  create(app: KoaApplication, req: IncomingMessage, res: ServerResponse): KoaContext {
    return new this._Context(new this._Request(app, req, res), new this._Response(app, req, res));
  }
}
