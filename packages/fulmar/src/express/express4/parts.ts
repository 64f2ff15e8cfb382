/**
 * The modules of npm's Express 4 that tools and programs reach by path (`express/lib/router/layer`), as what
 * this layer itself uses, by their files in that package, each after those that upstream loads for it. Loaded
 * only when somebody asks for one of these files.
 */
import type { Handler } from '../message-types.ts';
import type { PatternOptions } from '../router/pattern.ts';
import { application } from './application.ts';
import { middleware } from './entry.ts';
import express from './index.ts';
import { Layer as LayerClass } from './layer.ts';
import { query } from './query.ts';
import { request } from './request.ts';
import { response } from './response.ts';
import { Route } from './route.ts';
import { Router } from './router.ts';
import { utils } from './utils.ts';
import { View } from './view.ts';

export const parts: Readonly<Record<string, unknown>> = {
  'lib/router/layer.js': layerFunction(),
  'lib/router/route.js': Route,
  'lib/router/index.js': Router,
  'lib/middleware/init.js': middleware,
  'lib/middleware/query.js': query,
  'lib/view.js': View,
  'lib/utils.js': utils,
  'lib/application.js': application,
  'lib/request.js': request,
  'lib/response.js': response,
  'lib/express.js': express,
};

/**
 * Upstream's `Layer` makes one without `new` too. The prototype, which tools patch, is that of every layer.
 */
function layerFunction(): unknown {
  function Layer(path: unknown, options: PatternOptions | undefined, fn: Handler): unknown {
    return Reflect.construct(LayerClass, [path, options || {}, fn], new.target ?? Layer);
  }
  (Layer as { prototype: unknown }).prototype = LayerClass.prototype;
  Object.defineProperty(LayerClass.prototype, 'constructor', { value: Layer, writable: true, configurable: true });
  return Layer;
}
