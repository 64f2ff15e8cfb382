// `fulmar/express`: Express 5's public API on our own code. Only exports; the life of a request starts in express.ts and
// application.ts.
import { application } from './application.ts';
import { json } from './body/json.ts';
import { raw } from './body/raw.ts';
import { text } from './body/text.ts';
import { urlencoded } from './body/urlencoded.ts';
import { createApplication } from './express.ts';
import { request } from './request.ts';
import { response } from './response.ts';
import { Router as OwnRouter } from './router/router.ts';
import { serveStatic } from './static/serve-static.ts';

const own = Object.assign(createApplication, {
  application,
  request,
  response,
  Route: OwnRouter.Route,
  Router: OwnRouter,
  json,
  raw,
  static: serveStatic,
  text,
  urlencoded,
});

export default own;
export const Router = OwnRouter;
export const Route = OwnRouter.Route;
export { application, json, raw, request, response, serveStatic as static, text, urlencoded };
