/**
 * Short forms for the Express parity cases: one handler, one observation, or one set-up. Never compares
 * anything itself.
 */
import type { CaseContext, CaseOptions, ParityCase, RequestInput } from '../harness/case.ts';
import type { App, ErrorHandler, ExpressModule, Handler, Next, Req, Res, Wrong } from '../harness/express-api.ts';

type ContextHandler = (req: Req, res: Res, ctx: CaseContext, next: Next) => unknown;
type Requests = readonly RequestInput[];

/** An app with one handler for every path. */
export function handles(name: string, handler: ContextHandler, requests: Requests = ['GET /'], options?: CaseOptions): ParityCase {
  const app = (express: ExpressModule, ctx: CaseContext): App => express().use((req, res, next) => handler(req, res, ctx, next));
  return { name, app, requests, ...(options === undefined ? {} : { options }) };
}

/** Notes what `read` finds on the request of each of `requests`, or the error it throws. */
export function reads(name: string, read: (req: Req) => unknown, requests: Requests, settings: Record<string, unknown> = {}): ParityCase {
  const app = (express: ExpressModule, ctx: CaseContext): App => {
    const program = express();
    for (const [setting, value] of Object.entries(settings)) program.set(setting, value);
    return program.use((req, res) => {
      ctx.attempt('value', () => read(req));
      res.end();
    });
  };
  return { name, app, requests };
}

/** Notes what happens while an app is set up; sends nothing. */
export function builds(name: string, build: (express: ExpressModule, ctx: CaseContext) => void): ParityCase {
  const app = (express: ExpressModule, ctx: CaseContext): App => {
    build(express, ctx);
    return express();
  };
  return { name, app, requests: [] };
}

/** An app put together by `build`, answered requests included. */
export function serves(
  name: string,
  build: (app: App, express: ExpressModule, ctx: CaseContext) => unknown,
  requests: Requests,
  options?: CaseOptions,
): ParityCase {
  const app = (express: ExpressModule, ctx: CaseContext): App => {
    const program = express();
    build(program, express, ctx);
    return program;
  };
  return { name, app, requests, ...(options === undefined ? {} : { options }) };
}

/** Gives an error handler its type (and keeps its four parameters). */
export const onError = (handler: ErrorHandler): ErrorHandler => handler;

/** Answers with what routing left on the request. */
export const echo: Handler = (req, res) => {
  const { method, url, originalUrl, baseUrl, params } = req;
  res.json({ method, url, originalUrl, baseUrl, params, path: req.path });
};

/** Answers with the error as JSON, so that names, messages and fields are compared in full. */
export const showError: ErrorHandler = (error, _req, res, _next) => {
  const plain = error instanceof Error ? Object.assign({}, error, { name: error.name, message: error.message }) : { thrown: error };
  res.status(error?.status ?? 500).json(plain);
};

/** Any value as a bag of methods, for calls with arguments no type allows. */
export const wrong = (value: unknown): Wrong => value as Wrong;

export const withHeaders = (headers: Record<string, string>, path = '/', method = 'GET'): RequestInput => ({ method, path, headers });
