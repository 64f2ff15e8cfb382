// Error and performance monitoring, loaded before everything else.
'use strict';

const Sentry = require('@sentry/node');
const { options } = require('./options.cjs');

Sentry.init(options);
