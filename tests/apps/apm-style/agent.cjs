// What monitoring agents do to a process, in the way they do it: hooks on loading, wrapped functions, records
// of all that passes.
'use strict';

const { AsyncLocalStorage } = require('async_hooks');
const { Hook } = require('require-in-the-middle');
const shimmer = require('shimmer');

const records = [];
const transactions = new AsyncLocalStorage();
let count = 0;

const note = (what, ...details) => {
  const transaction = transactions.getStore();
  if (transaction?.isQuiet) return;
  records.push([transaction?.name ?? '-', what, ...details].join(' '));
};
exports.takeRecords = () => records.splice(0);

const known = new WeakSet();
const instrument = (exported, name, folder) => {
  // Modules inside of Express are Express's own business.
  if ((name === 'http' || name === 'express') && !known.has(exported)) {
    known.add(exported);
    if (name === 'http') instrumentHttp(exported);
    else instrumentExpress(exported, folder);
  }
  return exported;
};
new Hook(['http', 'express'], { internals: true }, instrument);
exports.instrument = instrument;

function instrumentHttp(http) {
  records.push('- loaded http');
  shimmer.wrap(
    http.Server.prototype,
    'emit',
    (emit) =>
      function wrappedEmit(event, ...rest) {
        if (event !== 'request') {
          if (['listening', 'connection', 'upgrade', 'close', 'checkContinue', 'clientError'].includes(event))
            note(`emit ${event}`, rest.length);
          return emit.apply(this, arguments);
        }
        const [req, res] = rest;
        const isQuiet = req.url.startsWith('/agent/');
        if (!isQuiet) count += 1;
        const transaction = { name: `#${count} ${req.method} ${req.url}`, isQuiet, segments: [] };
        return transactions.run(transaction, () => {
          note(
            'begin',
            rest.length,
            req instanceof http.IncomingMessage,
            res instanceof http.ServerResponse,
            typeof req.socket.remotePort,
            req.headers['x-trace'] ?? '',
          );
          res.once('finish', () =>
            transactions.run(transaction, () =>
              note('finish', res.statusCode, transaction.route ?? 'no route', res.getHeader('x-trace') ?? ''),
            ),
          );
          res.once('close', () => transactions.run(transaction, () => note('close', res.writableFinished)));
          shimmer.wrap(
            res,
            'writeHead',
            (writeHead) =>
              function wrappedWriteHead(status, ...fields) {
                this.setHeader('X-Trace', transaction.name.split(' ')[0]);
                note('writeHead', status, fields.length);
                return writeHead.apply(this, arguments);
              },
          );
          shimmer.wrap(
            res,
            'end',
            (end) =>
              function wrappedEnd(content) {
                note('end', content === undefined ? 'empty' : typeof content === 'string' ? 'text' : content.constructor.name);
                return end.apply(this, arguments);
              },
          );
          return emit.apply(this, arguments);
        });
      },
  );
  shimmer.wrap(
    http,
    'createServer',
    (createServer) =>
      function wrappedCreateServer() {
        note('createServer', arguments.length);
        return createServer.apply(this, arguments);
      },
  );
  shimmer.wrap(
    http,
    'request',
    (original) =>
      function wrappedRequest() {
        const request = original.apply(this, arguments);
        request.setHeader('X-Trace', transactions.getStore()?.name.split(' ')[0] ?? 'none');
        request.once('response', (response) => note('request answered', response.statusCode));
        request.once('error', (error) => note('request failed', error.code));
        return request;
      },
  );
  shimmer.wrap(
    http,
    'get',
    () =>
      function wrappedGet() {
        const request = http.request.apply(this, arguments);
        request.end();
        return request;
      },
  );
  shimmer.wrap(
    http.ServerResponse.prototype,
    'setHeader',
    (setHeader) =>
      function wrappedSetHeader(name) {
        if (/^x-powered-by$/i.test(name)) note('powered by set');
        return setHeader.apply(this, arguments);
      },
  );
}

/**
 * Routers of Express 4: `use`, `route` and `process_params` are wrapped, and each layer's handlers as it is
 * added.
 */
function instrumentExpress(express, folder) {
  const { version } = require(`${folder}/package.json`);
  records.push(`- loaded express ${version.split('.')[0]}`);
  const { Router, Route, application, response } = express;
  const wrapLayer = (layer, path) => {
    if (layer === undefined || layer.__agent) return;
    Object.defineProperty(layer, '__agent', { value: true });
    shimmer.wrap(layer, 'handle', (handle) => wrapHandler(handle, `${layer.name} ${path ?? ''}`));
  };
  for (const method of ['use', 'route']) {
    shimmer.wrap(
      Router,
      method,
      (original) =>
        function wrappedRegister(...args) {
          const before = this.stack.length;
          const result = original.apply(this, args);
          for (const layer of this.stack.slice(before)) wrapLayer(layer, typeof args[0] === 'string' ? args[0] : '');
          return result;
        },
    );
  }
  for (const method of ['get', 'post', 'all']) {
    shimmer.wrap(
      Route.prototype,
      method,
      (original) =>
        function wrappedVerb() {
          const before = this.stack.length;
          const result = original.apply(this, arguments);
          for (const layer of this.stack.slice(before)) wrapLayer(layer, this.path);
          return result;
        },
    );
  }
  if (Router.process_params) {
    shimmer.wrap(
      Router,
      'process_params',
      (original) =>
        function wrappedParams(layer, called, req) {
          const transaction = transactions.getStore();
          if (transaction && layer.route) transaction.route = req.baseUrl + layer.route.path;
          note('params', JSON.stringify(layer.params ?? {}), layer.path ?? '');
          return original.apply(this, arguments);
        },
    );
  }
  shimmer.wrap(
    response,
    'render',
    (original) =>
      function wrappedRender(view) {
        note('render', view);
        return original.apply(this, arguments);
      },
  );
  shimmer.wrap(
    application,
    'listen',
    (original) =>
      function wrappedListen() {
        note('listen', arguments.length);
        return original.apply(this, arguments);
      },
  );
}

function wrapHandler(handle, label) {
  const isErrorHandler = handle.length === 4;
  const call = function (self, args) {
    const next = args[args.length - 1];
    note(isErrorHandler ? 'error handler' : 'handler', label);
    if (typeof next === 'function') {
      args[args.length - 1] = function wrappedNext(error) {
        note('next', label, error?.message ?? String(error ?? ''));
        return next.apply(this, arguments);
      };
    }
    return handle.apply(self, args);
  };
  const wrapped = isErrorHandler
    ? function (error, req, res, next) {
        return call(this, [error, req, res, next]);
      }
    : function (req, res, next) {
        return call(this, [req, res, next]);
      };
  return Object.assign(wrapped, handle);
}
