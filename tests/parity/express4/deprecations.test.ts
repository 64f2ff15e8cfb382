/**
 * What Express 4 says on stderr about deprecated calls: the text, the place of the caller, once per place,
 * and its switches.
 */
import { spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CaseContext, ParityCase } from '../harness/case.ts';
import type { App, ExpressModule, Handler, Req, Res } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { serves, wrong } from '../express/kit.ts';
import { v4, where } from './kit.ts';

/** The time in front of each line, the only part that differs from run to run. */
const TIMESTAMP = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT /gm;

/** A caller inside the framework itself, which has other files here and there. */
const INSIDE = / at \S*(node_modules\/express4|packages\/fulmar|node_modules\/fulmar)\/\S*/g;
const withoutChance = (text: string): string => text.replace(TIMESTAMP, '[time] ').replace(INSIDE, ' at [the framework]');

/**
 * Calls that upstream tells of with a place of its own, because another of its files or packages stands
 * between. A bundle is one file and names the caller's place, as everywhere else: the place is not compared.
 */
const PLACED_INSIDE = /^app\.param|with the option/;
const PLACE = / at (?:eval |file:|\/|\[).*$/gm;

/** Runs `fn` as if nobody listened to deprecations, and notes what it writes to stderr. */
function noting(ctx: CaseContext, label: string, fn: () => unknown): void {
  const listeners = process.listeners('deprecation' as 'warning');
  process.removeAllListeners('deprecation');
  const original = process.stderr.write;
  let written = '';
  process.stderr.write = ((chunk: string) => {
    written += chunk;
    return true;
  }) as typeof original;
  try {
    fn();
  } finally {
    process.stderr.write = original;
    for (const listener of listeners) process.on('deprecation' as 'warning', listener);
  }
  const timed = written === '' || (written.match(TIMESTAMP)?.length ?? 0) > 0;
  const told = withoutChance(written);
  ctx.record(timed, PLACED_INSIDE.test(label) ? told.replace(PLACE, '') : told);
}

interface Objects {
  readonly app: App;
  readonly express: ExpressModule;
  readonly req: Req;
  readonly res: Res;
}

/** Each call stands on a place of its own, because a place is told once only. */
const CALLS: Readonly<Record<string, (objects: Objects) => unknown>> = {
  'res.send(status)': ({ res }) => v4(res).send(200),
  'res.send(status, body)': ({ res }) => v4(res).send(200, 'x'),
  'res.send(body, status)': ({ res }) => v4(res).send('x', 200),
  'res.send(undefined, body)': ({ res }) => v4(res).send(200, undefined),
  'res.json(status, obj)': ({ res }) => v4(res).json(200, {}),
  'res.json(obj, status)': ({ res }) => v4(res).json({}, 200),
  'res.jsonp(status, obj)': ({ res }) => v4(res).jsonp(200, {}),
  'res.jsonp(obj, status)': ({ res }) => v4(res).jsonp({}, 200),
  'res.status with a string': ({ res }) => v4(res).status('200'),
  'res.status with a fraction': ({ res }) => v4(res).status(200.5),
  'res.status with a string out of range': ({ res }) => v4(res).status('1000'),
  'res.redirect(url, status)': ({ res }) => v4(res).redirect('/x', 301),
  'res.redirect("back")': ({ res }) => v4(res).redirect('back'),
  'res.location("back")': ({ res }) => v4(res).location('back'),
  'res.vary()': ({ res }) => v4(res).vary(),
  'res.vary([])': ({ res }) => v4(res).vary([]),
  'res.clearCookie with maxAge': ({ res }) => v4(res).clearCookie('a', { maxAge: 1 }),
  'res.clearCookie with expires': ({ res }) => v4(res).clearCookie('a', { expires: new Date(1) }),
  'res.clearCookie with both': ({ res }) => v4(res).clearCookie('a', { maxAge: 1, expires: new Date(1) }),
  'res.sendfile': ({ res }) => v4(res).sendfile('/nowhere', () => res.headersSent || res.end()),
  'req.param(name)': ({ req }) => v4(req).param('a'),
  'req.param(name, default)': ({ req }) => v4(req).param('a', 1),
  'req.acceptsEncoding': ({ req }) => v4(req).acceptsEncoding('gzip'),
  'req.acceptsCharset': ({ req }) => v4(req).acceptsCharset('utf-8'),
  'req.acceptsLanguage': ({ req }) => v4(req).acceptsLanguage('en'),
  'req.host': ({ req }) => req.host,
  'app.del': ({ app }) => v4(app).del('/del', where),
  'app.param(fn)': ({ app }) => wrong(app)['param']?.(() => undefined),
  'router.param(fn)': ({ express }) => wrong(express.Router())['param']?.(() => undefined),
  'router.param(":name")': ({ express }) => wrong(express.Router())['param']?.(':name', where),
  'app.param(":name")': ({ app }) => wrong(app)['param']?.(':name', where),
  'express.urlencoded()': ({ express }) => express.urlencoded(),
  'express.urlencoded({})': ({ express }) => express.urlencoded({}),
  'express.static with the option hidden': ({ express }) => express.static('/nowhere', { hidden: true }),
  'res.sendFile with the option hidden': ({ res }) => v4(res).sendFile('/nowhere', { hidden: true }, () => res.headersSent || res.end()),
  'res.sendFile with the option from': ({ res }) => v4(res).sendFile('/nowhere', { from: '/' }, () => res.headersSent || res.end()),
  'res.sendfile with the option from': ({ res }) => v4(res).sendfile('/nowhere', { from: '/' }, () => res.headersSent || res.end()),
  'a call that is not deprecated': ({ res }) => v4(res).status(200),
};

const ended: Handler = (_req, res) => {
  if (!res.writableEnded && !res.headersSent) res.end('ended');
};

const table: ParityCase[] = Object.entries(CALLS).map(([label, call]) =>
  serves(
    `${label} is told on stderr with the place of its caller, once`,
    (app, express, ctx) => {
      app.use((req, res, next) => {
        noting(ctx, label, () => ctx.attempt(label, () => typeof call({ app, express, req, res })));
        noting(ctx, label, () => ctx.attempt(`${label} again`, () => res.headersSent || typeof call({ app, express, req, res })));
        if (!label.includes('ile')) ended(req, res, next);
        else if (label.startsWith('express')) res.end();
      });
    },
    ['GET /'],
    { frozenNow: true },
  ),
);

/** A program of its own process, which gives the module of one side the deprecated calls. */
const PROGRAM = `
import { loadSides } from ${JSON.stringify(new URL('../harness/sides.ts', import.meta.url).href)};
const side = (await loadSides('express4'))[process.argv[1]];
const app = side.express();
app.del('/x', () => {});
side.express.Router().param(':id', () => {});
side.express.urlencoded();
const server = side.http.createServer(app.use((req, res) => { req.param('a'); res.send(200); }));
server.listen(0, '127.0.0.1', async () => {
  await (await fetch('http://127.0.0.1:' + server.address().port)).text();
  server.close();
  server.closeAllConnections();
});
`;
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

function told(side: 'upstream' | 'ours', env: Record<string, string>): string {
  const args = ['--import', './scripts/ts-register.mjs', '--input-type=module', '--eval', PROGRAM, side];
  const { stderr, status, signal } = spawnSync(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, encoding: 'utf8' });
  assert.equal(status, 0, `${side} ended with ${status ?? signal}: ${stderr}`);
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('    at '));
  return lines.map(withoutChance).join('\n');
}

for (const [label, env, lines] of [
  ['everything is told', {}, 5],
  ['NO_DEPRECATION=express silences Express and not its parsers', { NO_DEPRECATION: 'express' }, 1],
  ['NO_DEPRECATION=* silences all', { NO_DEPRECATION: '*' }, 0],
  ['NO_DEPRECATION=body-parser silences the parsers', { NO_DEPRECATION: 'body-parser,other' }, 4],
  ['--no-deprecation silences all', { NODE_OPTIONS: '--no-deprecation' }, 0],
  ['TRACE_DEPRECATION shows where each call came from', { TRACE_DEPRECATION: '*' }, 5],
] as const) {
  test(`in a process of its own: ${label}`, () => {
    const upstream = told('upstream', env);
    assert.equal(upstream.split('\n').filter((line) => line.includes(' deprecated ')).length, lines, upstream);
    assert.equal(told('ours', env), upstream);
  });
}

defineSuite(
  [
    ...table,
    serves(
      'the same call from several places is told for each',
      (app, _express, ctx) => {
        app.use((req, res) => {
          noting(ctx, 'req.param', () => v4(req).param('a'));
          noting(ctx, 'req.param', () => v4(req).param('b'));
          noting(ctx, 'req.param', () => {
            for (let i = 0; i < 3; i++) v4(req).param('c');
          });
          res.end();
        });
      },
      ['GET /', 'GET /'],
    ),
    serves(
      'listeners of the deprecation event get the error instead',
      (app, _express, ctx) => {
        app.use((req, res) => {
          const heard: unknown[] = [];
          const listener = (error: Error & { namespace?: string }): void =>
            void heard.push(error.name, error.message, error.namespace, error instanceof Error);
          process.on('deprecation' as 'warning', listener);
          v4(req).acceptsEncoding('x');
          process.off('deprecation' as 'warning', listener);
          ctx.record(heard);
          res.end();
        });
      },
      ['GET /'],
    ),
  ],
  'express4',
);
