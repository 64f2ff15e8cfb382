// Unleash by its package's own interface, without the logins and the telemetry of a person.
'use strict';

const { createRequire } = require('node:module');
const { join } = require('node:path');

const unleash = createRequire(join(__dirname, '..', 'package.json'))('unleash-server');

void unleash.start({
  databaseUrl: process.env.DATABASE_URL,
  db: { ssl: false },
  server: { port: Number(process.env.PORT), host: '127.0.0.1', gracefulShutdownEnable: true, gracefulShutdownTimeout: 1_000 },
  authentication: {
    type: 'none',
    initApiTokens: [
      { environment: 'development', projects: ['*'], secret: 'default:development.lighthouse', type: 'client', tokenName: 'client' },
      { environment: 'development', projects: ['*'], secret: '*:development.lighthouse-front', type: 'frontend', tokenName: 'front' },
    ],
  },
  versionCheck: { enable: false },
  telemetry: false,
  logLevel: 'error',
});
