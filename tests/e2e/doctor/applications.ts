/** The applications that the doctor is tried on, as files of one project. */
import type { Files } from '../cli/support.ts';

export const applications: Files = {
  'fast.mjs': `import express from 'express';
    const app = express();
    app.use(express.json());
    app.use(function count(req, res, next) { next(); });
    app.get('/', (req, res) => res.json({ fast: true }));
    app.get('/users/:id', (req, res) => res.json(req.params));
    app.post('/echo', (req, res) => res.json(req.body));
    app.listen(process.env.PORT);`,
  // express-session writes the last byte apart from the others when it has something to save: so its replies
  // are streamed.
  'slow.cjs': `const express = require('express'); const session = require('express-session');
    const app = express();
    app.use(require('morgan')('tiny', { stream: { write() {} } }));
    app.use(require('compression')());
    app.use(session({ secret: 's', resave: false, saveUninitialized: true }));
    app.use(function copies(req, res, next) { res.getHeaders(); next(); });
    app.use(function turns(req, res, next) { Object.setPrototypeOf(res, Object.create(Object.getPrototypeOf(res))); next(); });
    app.get('/small', (req, res) => res.send('small'));
    app.get('/stream', function streams(req, res) { res.write('a'); res.end('b'); });
    app.post('/read', function reads(req, res) { let n = 0; req.on('data', (chunk) => (n += chunk.length)).on('end', () => res.json({ n })); });
    app.listen(process.env.PORT);`,
  'routes.cjs': `const express = require('express'); const app = express(); const reply = (req, res) => res.send('x');
    app.get('/plain/:id/text', reply); app.get('/files/*rest', reply); app.get(/^\\/expression/, reply); app.get('/group{/:part}', reply);
    app.get('/x-:id', reply); app.get(['/one', '/two'], reply); app.get('/\\u00fcmlaut', reply);
    const inner = express.Router(); inner.use(function inside(req, res, next) { next(); }); inner.get('/list', reply);
    app.use('/api/:version', inner);
    const mounted = express(); mounted.get('/page', reply); app.use('/sub', mounted);
    app.router.stack.length;
    app.listen(process.env.PORT);`,
  'mounts.cjs': `const express = require('express'); const app = express(); const reply = (req, res) => res.send('x');
    const part = (path) => { const inner = express(); inner.get(path, reply); return inner; };
    app.use(part('/at-root'));
    app.use('/slash/', part('/page'));
    app.use(['/first', '/second'], part('/of-two'));
    const outer = part('/page'); outer.use('/inner', part('/page')); app.use('/outer', outer);
    const router = express.Router(); router.use('/mounted', part('/page')); app.use('/router', router);
    app.all('/all', reply);
    app.route('/each').all((req, res, next) => next()).get(reply);
    app.listen(process.env.PORT);`,
  'private.cjs': `const express = require('express'); const app = express();
    app.use(function reaches(req, res, next) { res.set('X-Handle', typeof req.socket._handle + typeof req.connection.parser); next(); });
    app.get('/', (req, res) => { req.socket.ref(); res.send(req.ip); });
    app.listen(process.env.PORT);`,
  'plain.cjs': `require('http').createServer(function answer(req, res) {
      if (req.url === '/parts') { res.write('a'); setImmediate(() => res.end('b')); return; }
      res.setHeader('Content-Type', 'text/plain').end('hello');
    }).listen(process.env.PORT);`,
  'typed.ts': `import express, { type Request, type Response } from 'express';
    interface Nothing {
      readonly removed: true;
    }
    const app = express();
    app.use((req: Request, res: Response, next) => next());
    app.get('/typed', (req: Request, res: Response) => { res.send('typed'); });
    app.listen(process.env.PORT);`,
  'throws.mjs': `console.error('DATABASE_URL is missing'); throw new Error('no database');`,
  'silent.cjs': `console.log('waiting for a database'); setInterval(() => undefined, 1000);`,
  'ends.cjs': `console.log('done');`,
  'dies.cjs': `const app = require('express')();
    app.get('/fine', (req, res) => res.send('fine')); app.get('/fatal', () => process.exit(7)); app.get('/never', (req, res) => res.send('x'));
    app.listen(process.env.PORT);`,
  'hangs-up.cjs': `const app = require('express')(); app.get('/gone', (req) => req.socket.destroy()); app.listen(process.env.PORT);`,
  'late.cjs': `const app = require('express')(); app.get('/poll', () => undefined); app.get('/fine', (req, res) => res.send('x')); app.listen(process.env.PORT);`,
  'cluster.cjs': `const cluster = require('cluster');
    if (cluster.isPrimary) { cluster.fork(); cluster.fork(); }
    else { const app = require('express')(); app.get('/work', (req, res) => res.send('x')); app.listen(process.env.PORT); }`,
  'thread.cjs': `const { Worker, isMainThread } = require('worker_threads'); const http = require('http');
    if (isMainThread) new Worker(__filename).once('message', () => http.createServer((req, res) => res.end()).listen(process.env.PORT));
    else http.createServer((req, res) => res.end()).listen(0, () => require('worker_threads').parentPort.postMessage('listens'));`,
  'two.cjs': `const http = require('http'); const app = require('express')(); app.get('/here', (req, res) => res.send('here'));
    http.createServer(function other(req, res) { res.end('other'); }).listen(0); http.createServer(app).listen(process.env.PORT);`,
  'wrapped.cjs': `const app = require('express')(); app.get('/', (req, res) => res.json({}));
    require('http').createServer(function outer(req, res) { app(req, res); }).listen(process.env.PORT);`,
  'deep.cjs': `const express = require('express'); require('express/lib/application'); require('koa/lib/request'); require('koa'); const app = express();
    app.get('/', (req, res) => res.send('x')); app.listen(process.env.PORT);`,
  'koa.cjs': `const Koa = require('koa'); const app = new Koa();
    app.use(async function timer(context, next) { await next(); context.set('X-Time', '1'); });
    app.use(async function late(context, next) { await next(); const { end } = context.res; context.res.end = function (...args) { return end.apply(this, args); }; });
    app.use(function hello(context) { context.body = { hello: 'koa' }; }); app.listen(process.env.PORT);`,
  'koa-stream.cjs': `const Koa = require('koa'); const { Readable } = require('stream'); const app = new Koa();
    app.use(async function timer(context, next) { await next(); context.set('X-Time', '1'); });
    app.use((context, next) => next());
    app.use(async function hello(context) { context.body = Readable.from(['a', 'b']); }); app.listen(process.env.PORT);`,
  'strong.cjs': `const app = require('express')(); app.set('etag', 'strong'); app.get('/', (req, res) => res.send('x')); app.listen(process.env.SOCKET);`,
  'forks.cjs': `const { fork } = require('child_process');
    if (process.argv[2] === 'child') { const app = require('express')(); app.get('/child', (req, res) => res.send('x')); app.listen(process.env.PORT); }
    else fork(__filename, ['child']);`,
  'tcp.cjs': `require('net').createServer((socket) => socket.end()).listen(process.env.PORT);`,
};
