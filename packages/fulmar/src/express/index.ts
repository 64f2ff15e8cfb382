/**
 * `fulmar/express`: Express 5's public API on our own code. Only exports; the life of a request starts in
 * express.ts and application.ts.
 */
import { application } from './application.ts';
import { json, raw, text, urlencoded } from './body.ts';
import { createApplication } from './express.ts';
import { request } from './request.ts';
import { response } from './response.ts';
import { Route } from './router/route.ts';
import { Router } from './router/router.ts';
import { serveStatic } from './static.ts';
import type { ExpressModule } from './types.ts';

const express = Object.assign(createApplication, {
  application,
  request,
  response,
  Route,
  Router,
  json,
  raw,
  static: serveStatic,
  text,
  urlencoded,
}) as unknown as ExpressModule;

export default express;
// The same functions, not bindings of their own: a bundler would have to rename one of two.
export { application, json, raw, request, response, Route, Router, serveStatic as static, text, urlencoded };
export type * from './types.ts';
