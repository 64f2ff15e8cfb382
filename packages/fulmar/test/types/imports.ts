/**
 * How applications import `fulmar/express`, `fulmar/koa` and `fulmar/http`, for the type checker: never run,
 * checked with the sources.
 */
import express, { Router, type NextFunction, type Request, type Response } from 'fulmar/express';
import http, { createServer, type IncomingMessage, type ServerResponse } from 'fulmar/http';
import jestPreset from 'fulmar/jest/jest-preset';
import { sync } from 'fulmar/jest/resolver';
import Koa, { type Context, HttpError, isHttpError, type Next } from 'fulmar/koa';
import 'fulmar/register';

const router: express.Router = Router();
router.get('/birds/:id', (req: Request<{ id: string }>, res: Response) => {
  res.json({ id: req.params.id });
});

export const app: express.Express = express().use(express.json(), express.static('public'), router);
app.use((error: unknown, req: express.Request, res: express.Response, _next: NextFunction) => {
  res.status(500).send(`${req.path}: ${String(error)}`);
});

export const server: http.Server = createServer((req: IncomingMessage, res: ServerResponse) => {
  res.end(`${req.url} ${http.STATUS_CODES[200]}`);
});
export const withApp: http.Server = http.createServer(app);

export const koa: Koa = new Koa({ proxy: true, keys: ['a'] });
koa.use(async (ctx: Koa.Context, next: Next) => {
  await next();
  if (isHttpError(ctx.body)) throw new HttpError();
});
koa.use((ctx: Context) => ctx.back('/'));

export const jestConfig = { moduleNameMapper: { ...jestPreset.moduleNameMapper }, resolver: jestPreset.resolver };
export const resolved: string = sync('express', { basedir: '/', defaultResolver: (request: string) => request });
