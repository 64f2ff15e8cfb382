// A CouchDB in Express: express-pouchdb with databases in memory.
'use strict';

const { createRequire } = require('node:module');
const { join } = require('node:path');

const load = createRequire(join(__dirname, '..', 'package.json'));
const express = load('express');
const PouchDB = load('pouchdb').plugin(load('pouchdb-adapter-memory')).defaults({ adapter: 'memory' });

express()
  .use('/', load('express-pouchdb')(PouchDB, { mode: 'minimumForPouchDB', inMemoryConfig: true, logPath: join(__dirname, 'log.txt') }))
  .listen(Number(process.env.PORT), '127.0.0.1');
