'use strict';

const { join } = require('node:path');

module.exports = {
  mode: 'development',
  context: __dirname,
  entry: './main.js',
  devtool: false,
  output: { path: join(__dirname, 'out'), publicPath: '/assets/', filename: 'main.js' },
  infrastructureLogging: { level: 'warn' },
  stats: 'errors-only',
  watchOptions: { poll: 100 },
};
