/**
 * Loaded before an application by the tests: answers, over the channel to its parent, what the process has
 * loaded. Changes nothing that the application could see except that the channel is there.
 */
'use strict';

const { sep } = require('node:path');

/** Whose Express it is; deep imports of upstream's files may be there beside ours. */
function express(holds) {
  if (holds('dist/lib-express4.cjs')) return 'fulmar/express4';
  if (holds('dist/lib-express.cjs')) return 'fulmar/express';
  return holds('express/lib/express.js') ? 'express' : 'none';
}

/** Whose Koa it is. */
function koa(holds) {
  if (holds('dist/lib-koa2.cjs')) return 'fulmar/koa2';
  if (holds('dist/lib-koa.cjs')) return 'fulmar/koa';
  return holds('koa/lib/application.js') ? 'koa' : 'none';
}

if (process.send !== undefined && process.argv.length > 1) {
  process.on('message', (question) => {
    if (question !== 'what runs here?') return;
    // The addon is loaded when the first server listens, so it being here means that a server of ours
    // listens.
    const files = Object.keys(require('node:module')._cache);
    const holds = (end) => files.some((file) => file.endsWith(end.split('/').join(sep)));
    process.send({
      engine: files.some((file) => /fulmar\.[\w-]+\.node$/.test(file)),
      express: express(holds),
      koa: koa(holds),
    });
  });
  // Listening for messages would keep the process alive.
  process.channel.unref();
}
