/**
 * `fulmar/express4`: Express 4's public API, from the code of version 5. Every other file of this folder is a
 * part of the list of differences; docs/internals/express4.md has all of it. Everything shared belongs to
 * version 5's bundle, so that applications on version 5 load no file more (run-time.config.mjs).
 */
import '../index.ts';
import { createApplicationFactory } from '../express.ts';
import { application, ownsMessages } from './application.ts';
import { json, raw, text, urlencoded } from './body.ts';
import { query } from './query.ts';
import { defineRemoved } from './removed.ts';
import { request } from './request.ts';
import { response } from './response.ts';
import { Route } from './route.ts';
import { Router } from './router.ts';
import { serveStatic } from './static.ts';
import type { ExpressModule } from './types.ts';

const createApplication = createApplicationFactory({
  application,
  request,
  response,
  ownsMessages,
});

const express = Object.assign(createApplication, {
  application,
  request,
  response,
  Route,
  Router,
  json,
  query,
  raw,
  static: serveStatic,
  text,
  urlencoded,
}) as unknown as ExpressModule;

defineRemoved(express);

export default express;
// The same functions, not bindings of their own: a bundler would have to rename one of two.
export { application, json, query, raw, request, response, Route, Router, serveStatic as static, text, urlencoded };
export type * from './types.ts';
