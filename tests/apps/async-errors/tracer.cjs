// What tracers do that patch modules of Express by path, as they are loaded (dd-trace): members of
// prototypes, before any route is there.
'use strict';

const { Hook } = require('require-in-the-middle');
const shimmer = require('shimmer');

const loaded = [];
const spans = [];
exports.take = () => ({ loaded, spans: spans.splice(0) });

const patches = {
  'lib/router/layer.js': (Layer) => {
    for (const name of ['handle_request', 'handle_error']) {
      shimmer.wrap(
        Layer.prototype,
        name,
        (original) =>
          function traced(...args) {
            spans.push(`${name} ${this.name}`);
            return original.apply(this, args);
          },
      );
    }
  },
  'lib/router/route.js': (Route) => {
    shimmer.wrap(
      Route.prototype,
      'dispatch',
      (original) =>
        function dispatch(...args) {
          spans.push(`route ${this.path}`);
          return original.apply(this, args);
        },
    );
  },
  'lib/router/index.js': (Router) => {
    shimmer.wrap(
      Router,
      'process_params',
      (original) =>
        function traced(layer, ...rest) {
          spans.push(`params ${JSON.stringify(layer.params ?? {})}`);
          return original.call(this, layer, ...rest);
        },
    );
  },
  'lib/middleware/init.js': (middleware) => {
    shimmer.wrap(middleware, 'init', (original) => (app) => {
      const init = original(app);
      return function expressInit(req, res, next) {
        spans.push('init');
        init(req, res, next);
      };
    });
  },
  'lib/application.js': (application) => {
    shimmer.wrap(
      application,
      'handle',
      (original) =>
        function handle(req, ...rest) {
          spans.push(`handle ${req.url}`);
          return original.call(this, req, ...rest);
        },
    );
  },
  'lib/response.js': (response) => {
    shimmer.wrap(
      response,
      'json',
      (original) =>
        function json(body) {
          spans.push(`json ${JSON.stringify(body)}`);
          return original.call(this, body);
        },
    );
  },
};

new Hook(['express'], { internals: true }, (exported, name) => {
  const [, file] = /^express[\\/](.*)$/.exec(name) ?? [];
  const path = file?.replaceAll('\\', '/');
  if (path === undefined) return exported;
  loaded.push(path);
  patches[path]?.(exported);
  return exported;
});
