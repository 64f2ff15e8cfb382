// `fulmar/express4`: Express 4's public API, from the code of version 5. Every other file of this folder is a part of the
// list of differences; docs/internals/express4.md has all of it.
import { createApplicationFactory } from '../express.ts';
import { Router as OwnRouter } from '../router/router.ts';
import type { ExpressModule } from '../types.ts';
import { application as ownApplication } from './application.ts';
import { json as ownJson, raw as ownRaw, text as ownText, urlencoded as ownUrlencoded } from './body.ts';
import { request as ownRequest } from './request.ts';
import { response as ownResponse } from './response.ts';
import { serveStatic } from './static.ts';

const createApplication = createApplicationFactory({ application: ownApplication, request: ownRequest, response: ownResponse });

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
export type * from '../types.ts';
