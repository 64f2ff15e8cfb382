/**
 * The modules of npm's Express 5 that tools and programs reach by path (`express/lib/request`), as what this
 * layer itself uses, by their files in that package, each after those that upstream loads for it. Its router
 * is a package of its own (`router`), which applications use without Express too, and stays as it is. Loaded
 * only when somebody asks for one of these files.
 */
import express from './index.ts';
import { application } from './application.ts';
import { request } from './request.ts';
import { response } from './response.ts';
import { utils } from './utils.ts';
import { View } from './view.ts';

export const parts: Readonly<Record<string, unknown>> = {
  'lib/view.js': View,
  'lib/utils.js': utils,
  'lib/application.js': application,
  'lib/request.js': request,
  'lib/response.js': response,
  'lib/express.js': express,
};
