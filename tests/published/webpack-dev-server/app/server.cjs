// What `webpack serve` does, by the package's own interface.
'use strict';

const { createRequire } = require('node:module');
const { join } = require('node:path');

const load = createRequire(join(__dirname, '..', 'package.json'));
const webpack = load('webpack');
const WebpackDevServer = load('webpack-dev-server');
const port = Number(process.env.PORT);

const options = {
  port,
  host: '127.0.0.1',
  hot: true,
  liveReload: true,
  compress: true,
  allowedHosts: ['.example'],
  headers: { 'X-Lighthouse': 'north' },
  historyApiFallback: true,
  static: { directory: join(__dirname, 'static'), watch: false, serveIndex: true },
  proxy: [{ context: ['/api'], target: `http://127.0.0.1:${port}`, pathRewrite: { '^/api': '/bird.txt' } }],
  setupMiddlewares(middlewares, server) {
    server.app.get('/own', (_req, res) => res.json({ own: true }));
    return middlewares;
  },
};

void new WebpackDevServer(options, webpack(require('./webpack.config.cjs'))).start();
