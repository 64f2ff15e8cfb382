// `fulmar/express`: Express 5's public API on our own code. Only exports; the life of a request starts in express.ts and
// application.ts.
import { application as ownApplication } from './application.ts';
import { json as ownJson } from './body/json.ts';
import { raw as ownRaw } from './body/raw.ts';
import { text as ownText } from './body/text.ts';
import { urlencoded as ownUrlencoded } from './body/urlencoded.ts';
import { createApplication } from './express.ts';
import { request as ownRequest } from './request.ts';
import { response as ownResponse } from './response.ts';
import { Router as OwnRouter } from './router/router.ts';
import { serveStatic } from './static/serve-static.ts';
import type { ExpressModule } from './types.ts';

const express = Object.assign(createApplication, {
  application: ownApplication,
  request: ownRequest,
  response: ownResponse,
  Route: OwnRouter.Route,
  Router: OwnRouter,
  json: ownJson,
  raw: ownRaw,
  static: serveStatic,
  text: ownText,
  urlencoded: ownUrlencoded,
}) as unknown as ExpressModule;

export default express;
export const { application, request, response, Router, json, raw, text, urlencoded } = express;
export const { Route } = OwnRouter;
const staticFiles = express.static;
export { staticFiles as static };
export type * from './types.ts';
