// `fulmar/express4`: Express 4's public API, from the code of version 5. Every other file of this folder is a part of the
// list of differences; docs/internals/express4.md has all of it.
// Everything shared belongs to version 5's bundle, so that applications on version 5 load no file more (rolldown.config.mjs).
import '../index.ts';
import { createApplicationFactory } from '../express.ts';
import { application as ownApplication, ownsMessages } from './application.ts';
import { json as ownJson, raw as ownRaw, text as ownText, urlencoded as ownUrlencoded } from './body.ts';
import { query as ownQuery } from './query.ts';
import { defineRemoved } from './removed.ts';
import { request as ownRequest } from './request.ts';
import { response as ownResponse } from './response.ts';
import { Route as OwnRoute } from './route.ts';
import { Router as OwnRouter } from './router.ts';
import { serveStatic } from './static.ts';
import type { ExpressModule } from './types.ts';

const createApplication = createApplicationFactory({
  application: ownApplication,
  request: ownRequest,
  response: ownResponse,
  ownsMessages,
});

const express = Object.assign(createApplication, {
  application: ownApplication,
  request: ownRequest,
  response: ownResponse,
  Route: OwnRoute,
  Router: OwnRouter,
  json: ownJson,
  query: ownQuery,
  raw: ownRaw,
  static: serveStatic,
  text: ownText,
  urlencoded: ownUrlencoded,
}) as unknown as ExpressModule;

defineRemoved(express);

export default express;
export const { application, request, response, Router, json, query, raw, text, urlencoded } = express;
export const Route = OwnRoute;
const staticFiles = express.static;
export { staticFiles as static };
export type * from './types.ts';
