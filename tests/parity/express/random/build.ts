/**
 * Turns a random program's model into a real Express app that notes every step it takes. The same for both
 * sides.
 */
import type { CaseContext } from '../../harness/case.ts';
import type {
  App,
  ErrorHandler,
  ExpressModule,
  Handler,
  Next,
  ParamHandler,
  Path,
  Req,
  Res,
  RouteLike,
  RouterLike,
} from '../../harness/express-api.ts';
import type {
  Action,
  ErrorHandlerModel,
  FailureValue,
  HandlerModel,
  LayerModel,
  ParamModel,
  PathModel,
  RouterModel,
  Timing,
} from './model.ts';
import { reply } from './replies.ts';

type Record = CaseContext['record'];
type Verbs = { [method: string]: ((...args: unknown[]) => Verbs) | undefined };

export function buildApp(model: RouterModel, express: ExpressModule, record: Record): App {
  return fill(model, express, record) as App;
}

function fill(model: RouterModel, express: ExpressModule, record: Record): App | RouterLike {
  const target = model.kind === 'app' ? appOf(model, express) : express.Router(model);
  for (const param of model.params) target.param(param.name, paramHandler(param, record));
  for (const layer of model.layers) addLayer(target, layer, express, record);
  return target;
}

function appOf(model: RouterModel, express: ExpressModule): App {
  const app = express();
  app.set('strict routing', model.strict).set('case sensitive routing', model.caseSensitive);
  for (const [name, value] of Object.entries(model.settings)) app.set(name, value);
  return app;
}

function addLayer(target: App | RouterLike, layer: LayerModel, express: ExpressModule, record: Record): void {
  const use = (path: PathModel | null, handlers: readonly (Handler | ErrorHandler | RouterLike | App)[]): void => {
    if (path === null) target.use(...handlers);
    else target.use(toPath(path), ...handlers);
  };
  if (layer.type === 'use')
    use(
      layer.path,
      layer.handlers.map((handler) => toHandler(handler, record)),
    );
  else if (layer.type === 'error') use(layer.path, [toErrorHandler(layer.handler, record)]);
  else if (layer.type === 'mount') use(layer.path, [fill(layer.router, express, record)]);
  else addRoute(target, layer, record);
}

function addRoute(target: App | RouterLike, layer: Extract<LayerModel, { type: 'route' }>, record: Record): void {
  const handlers = layer.handlers.map((handler) =>
    typeof handler.action === 'string' ? toErrorHandler(handler as ErrorHandlerModel, record) : toHandler(handler as HandlerModel, record),
  );
  const on: App | RouterLike | RouteLike = layer.chained ? target.route(toPath(layer.path)) : target;
  const args = layer.chained ? handlers : [toPath(layer.path), ...handlers];
  (on as unknown as Verbs)[layer.method]?.(...args);
}

function toPath(path: PathModel): Path {
  if (typeof path === 'string') return path;
  if ('re' in path) return new RegExp(path.re, path.flags);
  return path.map(toPath);
}

/** Runs `act` at its time. For `async` and rejections the handler returns a promise. */
function at(timing: Timing, act: () => unknown, fail: Next): unknown {
  if (timing === 'sync') return act();
  if (timing === 'async') return Promise.resolve().then(act);
  // Outside the handler a throw would be uncaught, so it is handed on as applications do.
  const guarded = (): void => {
    try {
      const result = act();
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  if (timing === 'microtask') queueMicrotask(guarded);
  else if (timing === 'tick') process.nextTick(guarded);
  else setImmediate(guarded);
  return undefined;
}

function toHandler(model: HandlerModel, record: Record): Handler {
  return (req, res, next) => {
    record(model.id, req.method, req.baseUrl, req.url, req.params, req.route?.path);
    return at(model.timing, () => act(model.action, req, res, next), next);
  };
}

function act(action: Action, req: Req, res: Res, next: Next): unknown {
  switch (action.do) {
    case 'next':
      return next();
    case 'next-with':
      return next(
        { route: 'route', router: 'router', null: null, false: false, zero: 0, empty: '', text: 'text error', object: { status: 410 } }[
          action.value
        ],
      );
    case 'fail':
      return fail(action.how, failure(action.value), next);
    case 'reply':
      if (action.status !== null) res.status(action.status);
      return void reply(action.kind, req, res);
    case 'reply-then':
      reply(action.kind, req, res);
      if (action.then === 'throw') throw failure('error');
      return next();
    case 'field':
      if (!res.headersSent) res.set(action.name, action.value);
      return next();
    case 'rewrite':
      req.url = action.url;
      return next();
    case 'param':
      req.params[action.name] = action.value;
      return next();
    case 'method':
      req.method = action.method;
      return next();
    case 'locals':
      res.locals['noted'] = action.value;
      return next();
  }
}

function fail(how: 'next' | 'throw' | 'reject', value: unknown, next: Next): unknown {
  if (how === 'next') return next(value);
  if (how === 'reject') return Promise.reject(value);
  throw value;
}

function failure(value: FailureValue): unknown {
  const error = Object.assign(new Error('failed'), { stack: 'Error: failed\n  in  <place>' });
  switch (value) {
    case 'error':
      return error;
    case 'status':
      return Object.assign(error, { status: 418 });
    case 'headers':
      return Object.assign(error, { statusCode: 401, headers: { 'X-From-Error': '1' } });
    case 'type-error':
      return new TypeError('typed');
    case 'string':
      return 'a string error';
    case 'object':
      return { status: 422, toString: () => 'printed' };
    case 'undefined':
      return undefined;
    case 'null':
      return null;
  }
}

function toErrorHandler(model: ErrorHandlerModel, record: Record): ErrorHandler {
  return (error, req, res, next) => {
    record(model.id, 'error', error, req.baseUrl, req.url, req.params);
    return at(model.timing, () => recover(model, error, { res, next }), next);
  };
}

function recover(model: ErrorHandlerModel, error: unknown, { res, next }: { res: Res; next: Next }): unknown {
  switch (model.action) {
    case 'reply':
      if (res.headersSent) return next(error);
      return void res.status(500).send(`handled by ${model.id}`);
    case 'pass':
      return next(error);
    case 'recover':
      return next();
    case 'replace':
      return next(Object.assign(new Error('replaced'), { status: 503, stack: 'replaced stack' }));
    case 'throw':
      throw Object.assign(new Error('thrown again'), { stack: 'thrown stack' });
    case 'route':
      return next('route');
    case 'router':
      return next('router');
  }
}

function paramHandler(model: ParamModel, record: Record): ParamHandler {
  return (req, _res, next, value, name) => {
    record(model.id, 'param', name, value, req.params);
    return at(
      model.timing,
      () => {
        if (model.action === 'change') req.params[name] = `${value}!`;
        if (model.action === 'reject') return Promise.reject(failure('status'));
        if (model.action === 'fail' || (model.action === 'fail-on-a' && value === 'a')) return next(failure('error'));
        return model.action === 'route' ? next('route') : next();
      },
      next,
    );
  };
}
