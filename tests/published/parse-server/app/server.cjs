// Parse Server mounted in an Express application, as its own guide has it, with a live query server.
'use strict';

const { createRequire } = require('node:module');
const { join } = require('node:path');

const { ParseServer } = createRequire(join(__dirname, '..', 'package.json'))('parse-server');
const port = Number(process.env.PORT);

void ParseServer.startApp({
  databaseURI: process.env.DATABASE_URL,
  appId: 'lighthouse',
  masterKey: 'master',
  maintenanceKey: 'maintenance',
  masterKeyIps: ['0.0.0.0/0', '::/0'],
  serverURL: `http://127.0.0.1:${port}/parse`,
  mountPath: '/parse',
  host: '127.0.0.1',
  port,
  allowClientClassCreation: true,
  enableInsecureAuthAdapters: false,
  mountGraphQL: true,
  graphQLPath: '/graphql',
  liveQuery: { classNames: ['Bird'] },
  startLiveQueryServer: true,
  fileUpload: { enableForPublic: true },
  silent: true,
  cloud(Parse) {
    Parse.Cloud.define('hello', (request) => `Grüße ${request.params.name}`);
    Parse.Cloud.define('fails', () => {
      throw new Parse.Error(141, 'on purpose');
    });
    Parse.Cloud.beforeSave('Bird', (request) => {
      if (request.object.get('name') === 'wrong') throw 'no such bird';
    });
  },
});
