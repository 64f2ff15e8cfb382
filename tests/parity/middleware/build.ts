/** Turns a random program of middleware into a real application. The same for both sides. */
import type { RequestListener } from 'node:http';
import type { App, ExpressModule, Handler, Req, Res, RouterLike } from '../harness/express-api.ts';
import type { Build } from '../harness/random/play.ts';
import { publicFolder } from '../express/fixture.ts';
import type { App as KoaApp, Ctx, KoaModule, Middleware } from '../koa/api.ts';
import { callbackWith, koaWith } from '../koa/compose-versions.ts';
import { load } from '../koa/kit.ts';
import { koaOf } from '../koa/suite.ts';
import { doOf } from './catalogue.ts';
import type { Env } from './env.ts';
import type { Framework, Layer, Next, ProgramModel, Step } from './model.ts';
import { replyExpress, replyKoa } from './replies.ts';

export function buildListener(model: ProgramModel, build: Build): RequestListener {
  return model.framework.startsWith('koa') ? koaListener(model, build) : expressListener(model, build);
}

type Middle = Extract<Layer, { type: 'middleware' }>;
type Base = Pick<Env, 'req' | 'res' | 'app' | 'ctx' | 'framework'>;

/**
 * A middleware that puts something in front of itself meets itself again, without end: from then on it does
 * nothing.
 */
const RUNS_MAX = 6;

/** Does the steps of a middleware, each at its time. What they throw is noted. */
function take(steps: readonly Step[], { id }: Middle, base: Base, build: Build, framework: Framework): void {
  const env: Env = { ...base, side: build.side, tools: build.tools, id: String(id), undo: (fn) => build.undo(fn) };
  for (const { act, when } of steps) {
    const run = (): void => {
      build.tools.attempt(`${id} ${act.do} ${act.name ?? ''}`, () => {
        doOf(framework, act.do)?.(env, act.name ?? '', act.value);
      });
    };
    if (when === 'now') run();
    else if (when === 'tick') process.nextTick(run);
    else if (when === 'immediate') setImmediate(run);
    else base.res.on(when, run);
  }
}

const TIMER_MS = 1;

function at(next: Next, go: () => void): void {
  if (next === 'sync') go();
  else if (next === 'microtask') queueMicrotask(go);
  else if (next === 'tick') process.nextTick(go);
  else if (next === 'immediate') setImmediate(go);
  else setTimeout(go, TIMER_MS);
}

function expressListener(model: ProgramModel, build: Build): RequestListener {
  const { express } = build.side;
  const app = express().set('env', 'test');
  fillExpress(app, app, model.layers, express, model.framework, build);
  return app as RequestListener;
}

function fillExpress(
  target: App | RouterLike,
  app: App,
  layers: readonly Layer[],
  express: ExpressModule,
  framework: Framework,
  build: Build,
): void {
  for (const layer of layers) {
    if (layer.type === 'parser') target.use(parserOf(express, layer.parser));
    else if (layer.type === 'static') target.use(express.static(publicFolder));
    else if (layer.type === 'reply') addReply(target, layer, build);
    else if (layer.type === 'middleware') target.use(expressMiddleware(layer, app, express, framework, build));
    else {
      const nested = layer.isApp ? express() : express.Router();
      fillExpress(nested, layer.isApp ? (nested as App) : app, layer.layers, express, framework, build);
      target.use(layer.path, nested);
    }
  }
}

const parserOf = (express: ExpressModule, parser: Extract<Layer, { type: 'parser' }>['parser']): Handler =>
  parser === 'urlencoded' ? express.urlencoded({ extended: false }) : express[parser]();

function addReply(target: App | RouterLike, { id, path, reply }: Extract<Layer, { type: 'reply' }>, { tools }: Build): void {
  const handler: Handler = (req, res) => {
    tools.record('reply', id, req.method, req.url);
    replyExpress(reply, req, res);
  };
  if (path === null) target.use(handler);
  else target.all(path, handler);
}

function expressMiddleware(layer: Middle, app: App, express: ExpressModule, framework: Framework, build: Build): Handler {
  let runs = 0;
  return (req: Req, res: Res, next) => {
    build.tools.record('in', layer.id, req.url);
    if (++runs > RUNS_MAX) return next();
    const base: Base = { req, res, app, ctx: undefined, framework: express };
    take(layer.steps, layer, base, build, framework);
    at(layer.next, () => {
      next();
      take(layer.after, layer, base, build, framework);
    });
  };
}

type Loaded = (options?: object) => Middleware;
interface Library {
  readonly parser: Loaded;
  readonly files: (root: string) => Middleware;
  readonly mount: (path: string, app: KoaApp) => Middleware;
}

let library: Library | undefined;
const libraries = (): Library =>
  (library ??= {
    parser: load<Loaded>('koa-bodyparser'),
    files: load<Library['files']>('koa-static'),
    mount: load<Library['mount']>('koa-mount'),
  });

function koaListener(model: ProgramModel, build: Build): RequestListener {
  const version = model.framework === 'koa' ? 3 : 2;
  const Koa = koaWith(koaOf(version, build.side.name), { side: build.side.name, version, compose: model.compose });
  const app = new Koa({ env: 'test' });
  fillKoa(app, model.layers, Koa, model.framework, build);
  return callbackWith(app, model.compose);
}

function fillKoa(app: KoaApp, layers: readonly Layer[], Koa: KoaModule, framework: Framework, build: Build): void {
  for (const layer of layers) {
    if (layer.type === 'parser') app.use(libraries().parser({ enableTypes: ['json', 'form', 'text'] }));
    else if (layer.type === 'static') app.use(libraries().files(publicFolder));
    else if (layer.type === 'reply') app.use(koaReply(layer, build));
    else if (layer.type === 'middleware') app.use(koaMiddleware(layer, app, Koa, framework, build));
    else {
      const nested = new Koa({ env: 'test' });
      fillKoa(nested, layer.layers, Koa, framework, build);
      app.use(libraries().mount(layer.path, nested));
    }
  }
}

function koaReply({ id, path, reply }: Extract<Layer, { type: 'reply' }>, { tools }: Build): Middleware {
  return (ctx, next) => {
    if (path !== null && ctx.path !== path) return next();
    tools.record('reply', id, ctx.method, ctx.url);
    replyKoa(reply, ctx);
    return undefined;
  };
}

function koaMiddleware(layer: Middle, app: KoaApp, Koa: KoaModule, framework: Framework, build: Build): Middleware {
  let runs = 0;
  return async (ctx: Ctx, next) => {
    build.tools.record('in', layer.id, ctx.url);
    if (++runs > RUNS_MAX) return next();
    const base: Base = { req: ctx.req, res: ctx.res, app, ctx, framework: Koa };
    take(layer.steps, layer, base, build, framework);
    if (layer.next !== 'sync') await new Promise<void>((resolve) => at(layer.next, resolve));
    await next();
    take(layer.after, layer, base, build, framework);
  };
}
