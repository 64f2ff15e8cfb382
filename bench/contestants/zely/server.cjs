// Zely through its JavaScript API, in the project folder with as many pages as `ROUTES` says (`build.mjs` writes
// it). Zely compiles the pages when it starts: its `export` command makes servers that fail at their first request.
// It never logs a request.
'use strict';
const path = require('node:path');

// Before Zely is loaded: its compiler keeps the folder it finds then.
process.chdir(path.join(__dirname, 'dist', `file-routes-${process.env.ROUTES ?? 10}`));
const { Zely } = require('zely');

async function main() {
  const server = await Zely({ routes: './pages/', middlewares: [] });
  server.listen(Number(process.env.PORT), '127.0.0.1');
}

void main();
