/** What files export: methods, values, lists of entries, `defineRoute()`, `page`, `config`; special files; mistakes. */
import assert from 'node:assert/strict';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it, test, type TestContext } from 'node:test';
import { createApp } from '../../src/app/index.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { appOf, ask, type Files, folderWith } from './support.ts';

const OURS = JSON.stringify(fileURLToPath(new URL('../../src/routes/index.ts', import.meta.url)));
const HEAD = `import * as r from ${OURS};\n`;

interface Case {
  readonly name: string;
  readonly file: string;
  readonly at?: string;
  readonly asked: readonly (readonly [method: string, status: number, text?: string, headers?: Readonly<Record<string, string>>])[];
}

const CASES: readonly Case[] = [
  {
    name: 'methods by their names',
    file: "export const GET = () => 'got'; export function POST(c) { return c.text('posted', 201); }",
    asked: [
      ['GET', 200, 'got'],
      ['POST', 201, 'posted'],
      ['PUT', 405],
      ['HEAD', 200, ''],
      ['OPTIONS', 204, '', { allow: 'GET, HEAD, OPTIONS, POST' }],
    ],
  },
  {
    name: 'methods in lower case',
    file: "export const get = () => 'got'; export const put = () => 'put'; const gone = () => 'gone'; export { gone as delete };",
    asked: [
      ['GET', 200, 'got'],
      ['PUT', 200, 'put'],
      ['DELETE', 200, 'gone'],
      ['POST', 405],
    ],
  },
  {
    name: 'a handler of all methods',
    file: 'export default (c) => c.method;',
    asked: [
      ['GET', 200, 'GET'],
      ['POST', 200, 'POST'],
      ['DELETE', 200, 'DELETE'],
      ['OPTIONS', 200, 'OPTIONS'],
    ],
  },
  {
    name: 'all beside a method',
    file: "export const all = (c) => 'all ' + c.method; export const GET = () => 'own';",
    asked: [
      ['GET', 200, 'own'],
      ['PUT', 200, 'all PUT'],
    ],
  },
  {
    name: 'a value',
    file: 'export default { a: 1 };',
    asked: [
      ['GET', 200, '{"a":1}', { 'content-type': 'application/json; charset=utf-8' }],
      ['POST', 405],
    ],
  },
  {
    name: 'an object of methods',
    file: "export default { get: () => 'got', all: (c) => c.method };",
    asked: [
      ['GET', 200, 'got'],
      ['PUT', 200, 'PUT'],
    ],
  },
  { name: 'a text', file: "export default 'text';", asked: [['GET', 200, 'text']] },
  {
    name: 'null, false and zero',
    file: 'export const GET = null; export const POST = 0; export const PUT = false;',
    asked: [
      ['POST', 200, '0'],
      ['PUT', 200, 'false'],
    ],
  },
  { name: 'a list that is a value', file: 'export default [1, 2];', asked: [['GET', 200, '[1,2]']] },
  {
    name: 'nothing returned',
    file: 'export const GET = () => {}; export const POST = async () => undefined; export const PUT = (c) => c.status(202);',
    asked: [
      ['GET', 204, ''],
      ['POST', 204, ''],
      ['PUT', 202, ''],
    ],
  },
  { name: 'promises', file: "export const GET = async () => 'later';", asked: [['GET', 200, 'later']] },
  {
    name: 'a Response',
    file: "export const GET = () => new Response('web', { status: 203, headers: { 'x-a': 'b' } });",
    asked: [['GET', 203, 'web', { 'x-a': 'b' }]],
  },
  {
    name: 'entries',
    file: "export default [r.GET((c) => c.method), r.POST({ ok: true }, { 'x-own': 'a' }), r.DELETE('gone')];",
    asked: [
      ['GET', 200, 'GET'],
      ['POST', 200, '{"ok":true}', { 'x-own': 'a' }],
      ['DELETE', 200, 'gone'],
      ['PUT', 405],
    ],
  },
  {
    name: 'one entry',
    file: "export default r.GET('one');",
    asked: [
      ['GET', 200, 'one'],
      ['POST', 405],
    ],
  },
  {
    name: 'an entry of all methods',
    file: 'export default [r.ALL((c) => c.method)];',
    asked: [
      ['GET', 200, 'GET'],
      ['PATCH', 200, 'PATCH'],
    ],
  },
  {
    name: 'an entry under its name',
    file: "export const get = r.GET('named', { 'x-own': 'b' });",
    asked: [['GET', 200, 'named', { 'x-own': 'b' }]],
  },
  {
    name: 'middleware among entries, before those behind it',
    file: "export default [r.POST('before'), r.middleware((c, next) => { c.header('x-m', '1'); return next(); }), r.GET('behind')];",
    asked: [
      ['GET', 200, 'behind', { 'x-m': '1' }],
      ['POST', 200, 'before', { 'x-m': '' }],
    ],
  },
  {
    name: 'defineRoute()',
    file: "export default r.defineRoute({ schema: { query: { type: 'object', properties: { n: { type: 'integer' } } } }, GET: (c) => ({ n: c.query.n }), POST: 'value' });",
    at: '/a?n=5',
    asked: [
      ['GET', 200, '{"n":5}'],
      ['POST', 200, 'value'],
    ],
  },
  {
    name: 'defineRoute() with one handler',
    file: 'export default r.defineRoute({ handler: (c) => c.method, before: (c) => c.header("x-b", "1") });',
    asked: [
      ['GET', 200, 'GET', { 'x-b': '1' }],
      ['PUT', 200, 'PUT'],
    ],
  },
  {
    name: 'page.before that answers',
    file: "export const page = { before: (c) => (c.query.stop ? c.text('stopped', 403) : undefined) }; export const GET = () => 'ran';",
    at: '/a?stop=1',
    asked: [['GET', 403, 'stopped']],
  },
  {
    name: 'page.before that does not',
    file: "export const page = { before: [(c) => c.header('x-1', '1'), async () => undefined] }; export const GET = () => 'ran';",
    asked: [['GET', 200, 'ran', { 'x-1': '1' }]],
  },
  {
    name: 'page.after',
    file: "export const page = { after: [(c, value) => ({ value }), (c, value) => void c.header('x-after', JSON.stringify(value))] }; export const GET = () => 'ran';",
    asked: [['GET', 200, '{"value":"ran"}', { 'x-after': '{"value":"ran"}' }]],
  },
  {
    name: 'config.middleware',
    file: "export const config = { middleware: [(c, next) => { c.header('x-m', '1'); return next(); }] }; export const GET = () => 'ran';",
    asked: [['GET', 200, 'ran', { 'x-m': '1' }]],
  },
  {
    name: 'config.schema',
    file: "export const config = { schema: { body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } }; export const POST = (c) => c.body.name;",
    asked: [['POST', 422]],
  },
  {
    name: '(req, res)',
    file: "export default (req, res) => { res.setHeader('x-own', req.method); res.statusCode = 201; res.end(JSON.stringify(req.query)); };",
    at: '/a?b=c',
    asked: [
      ['GET', 201, '{"b":"c"}', { 'x-own': 'GET' }],
      ['POST', 201, '{"b":"c"}', { 'x-own': 'POST' }],
    ],
  },
  {
    name: '(req, res) that answers later',
    file: "export const GET = (req, res) => { setImmediate(() => res.end('later')); };",
    asked: [['GET', 200, 'later']],
  },
  {
    name: 'other exports beside',
    file: "export const GET = () => helper(); export function helper() { return 'helped'; } export const limit = 5; export class Thing {}",
    asked: [['GET', 200, 'helped']],
  },
  {
    name: 'what throws',
    file: "export const GET = () => { throw new Error('secret'); }; export const POST = async () => { throw new Error('secret'); };",
    asked: [
      ['GET', 500],
      ['POST', 500],
    ],
  },
];

describe('a file', () => {
  for (const { name, file, at = '/a', asked } of CASES)
    it(`with ${name}`, async (t) => {
      const app = await appOf(t, { 'a.mjs': HEAD + file });
      for (const [method, status, text, headers = {}] of asked) {
        const told = await ask(app, method, at, method === 'POST' ? { body: {} } : {});
        assert.equal(told.status, status, `${method}: ${told.text}`);
        if (text !== undefined) assert.equal(told.text, text);
        for (const [field, value] of Object.entries(headers)) assert.equal(told.headers[field] ?? '', value, field);
        assert.doesNotMatch(told.text, /secret/);
      }
    });

  it('with a schema of content asks it of methods with content alone', async (t) => {
    const schema = "{ body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } }";
    const app = await appOf(t, {
      'a.mjs': `${HEAD}export default r.defineRoute({ schema: ${schema}, GET: 'got', POST: (c) => c.body.name });`,
      'b.mjs': `export const config = { schema: ${schema} }; export default (c) => c.method;`,
    });
    assert.equal((await ask(app, 'GET', '/a')).text, 'got');
    assert.equal((await ask(app, 'POST', '/a', { body: { name: 'x' } })).text, 'x');
    assert.equal((await ask(app, 'POST', '/a', { body: {} })).status, 422);
    assert.equal((await ask(app, 'GET', '/b')).text, 'GET');
    assert.equal((await ask(app, 'PUT', '/b', { body: {} })).status, 422);
  });

  it('of CommonJS exports methods, or a handler', async (t) => {
    const app = await appOf(t, {
      'a.cjs': "exports.GET = () => 'cjs'; exports.POST = () => 'posted';",
      'b.cjs': 'module.exports = (c) => c.method;',
      'c.cjs': "const methods = ['GET', 'PUT']; for (const name of methods) exports[name] = () => name;",
      'd.cjs': "module.exports = { GET: () => 'object' };",
      'e.cjs': "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = () => 'compiled'; exports.page = {};",
      '_404.cjs': "module.exports = () => 'nothing';",
    });
    assert.equal((await ask(app, 'PUT', '/c')).text, 'PUT');
    assert.equal((await ask(app, 'GET', '/d')).text, 'object');
    assert.equal((await ask(app, 'POST', '/e')).text, 'compiled');
    assert.equal((await ask(app, 'GET', '/x')).text, 'nothing');
    assert.equal((await ask(app, 'GET', '/a')).text, 'cjs');
    assert.equal((await ask(app, 'POST', '/a')).text, 'posted');
    assert.equal((await ask(app, 'PUT', '/b')).text, 'PUT');
  });

  it('of one method answers that alone, and others stand beside it', async (t) => {
    const app = await appOf(t, {
      'users.get.mjs': "export default () => 'list';",
      'users.post.mjs': "export const POST = () => 'added';",
      'users/[id].delete.mjs': 'export default (c) => c.params.id;',
      'users/[id].mjs': "export const GET = () => 'one';",
    });
    assert.equal((await ask(app, 'GET', '/users')).text, 'list');
    assert.equal((await ask(app, 'POST', '/users')).text, 'added');
    assert.equal((await ask(app, 'PUT', '/users')).status, 405);
    assert.equal((await ask(app, 'DELETE', '/users/7')).text, '7');
    assert.equal((await ask(app, 'GET', '/users/7')).text, 'one');
  });

  it('that is no module is served as it is', async (t) => {
    const app = await appOf(t, { 'about.html': '<h1>ü</h1>', 'docs/index.html': 'docs', 'data.json': '{"a":1}', 'note.md': '# note' });
    const about = await ask(app, 'GET', '/about');
    assert.deepEqual([about.text, about.headers['content-type']], ['<h1>ü</h1>', 'text/html; charset=utf-8']);
    assert.equal((await ask(app, 'GET', '/docs')).text, 'docs');
    assert.equal((await ask(app, 'GET', '/data.json')).headers['content-type'], 'application/json; charset=utf-8');
    assert.match(String((await ask(app, 'GET', '/note.md')).headers['content-type']), /^text\/markdown/);
    const again = await ask(app, 'GET', '/about', { headers: { 'if-none-match': String(about.headers['etag']) } });
    assert.equal(again.status, 304);
    assert.equal((await ask(app, 'GET', '/about', { headers: { range: 'bytes=0-3' } })).status, 206);
    assert.equal((await ask(app, 'POST', '/about')).status, 405);
  });
});

describe('special files', () => {
  const NOTE = (name: string): string =>
    `export default (c, next) => { c.state.seen = [...(c.state.seen ?? []), ${JSON.stringify(name)}]; return next(); };`;
  const SEEN = 'export const GET = (c) => c.state.seen ?? [];';

  it('middleware holds below its folder, from without to within', async (t) => {
    const app = await appOf(t, {
      '_middleware.mjs': NOTE('root'),
      'index.mjs': SEEN,
      'a/_middleware.mjs': NOTE('a'),
      'a/index.mjs': SEEN,
      'a/b/c.mjs': SEEN,
      'a/b/_middleware.mjs': NOTE('b'),
      'z/index.mjs': SEEN,
      '[id]/_middleware.mjs': NOTE('id'),
      '[id]/deep.mjs': SEEN,
      '(group)/_middleware.mjs': NOTE('group'),
      '(group)/in.mjs': SEEN,
      '(group)/a/other.mjs': SEEN,
    });
    const seen = async (url: string): Promise<unknown> => JSON.parse((await ask(app, 'GET', url)).text);
    assert.deepEqual(await seen('/'), ['root']);
    assert.deepEqual(await seen('/a'), ['root', 'a']);
    assert.deepEqual(await seen('/a/b/c'), ['root', 'a', 'b']);
    assert.deepEqual(await seen('/z'), ['root']);
    assert.deepEqual(await seen('/x/deep'), ['root', 'id']);
    assert.deepEqual(await seen('/in'), ['root', 'group']);
    assert.deepEqual(await seen('/a/other'), ['root', 'group']);
  });

  it('middleware may be a list, and may answer', async (t) => {
    const app = await appOf(t, {
      '_middleware.mjs': `${HEAD}export default [(c, next) => (c.query.no ? c.text('no', 401) : next()), r.middleware((c, next) => { c.header('x-2', '1'); return next(); })];`,
      'index.mjs': "export const GET = () => 'in';",
    });
    assert.equal((await ask(app, 'GET', '/?no=1')).status, 401);
    assert.equal((await ask(app, 'GET', '/')).headers['x-2'], '1');
  });

  it('_404 answers below its folder, the nearest', async (t) => {
    const app = await appOf(t, {
      '_404.mjs': "export default (c) => 'nothing at ' + c.pathname;",
      'a/_404.mjs': "export default () => 'nothing in a';",
      'a/index.mjs': "export const GET = () => 'a';",
      'b.mjs': "export const GET = () => 'b';",
    });
    const told = async (method: string, url: string): Promise<unknown[]> => {
      const { status, text } = await ask(app, method, url);
      return [status, text];
    };
    assert.deepEqual(await told('GET', '/x'), [404, 'nothing at /x']);
    assert.deepEqual(await told('GET', '/a/x/y'), [404, 'nothing in a']);
    assert.deepEqual(await told('GET', '/a'), [200, 'a']);
    assert.equal((await ask(app, 'POST', '/b')).status, 405);
  });

  it('_error answers for what throws below its folder', async (t) => {
    const app = await appOf(t, {
      '_error.mjs': "export default (error, c) => c.text('root ' + error.message, 500);",
      'a/_error.mjs':
        "export default (error, c) => { if (error.message === 'outer') throw error; return c.text('a ' + error.message, 502); };",
      'a/bad.mjs': "export const GET = () => { throw new Error('bad'); };",
      'a/outer.mjs': "export const GET = async () => { throw new Error('outer'); };",
      'bad.mjs': "export const GET = async () => { throw new Error('bad'); };",
    });
    assert.deepEqual([(await ask(app, 'GET', '/a/bad')).status, (await ask(app, 'GET', '/a/bad')).text], [502, 'a bad']);
    assert.equal((await ask(app, 'GET', '/a/outer')).text, 'root outer');
    assert.equal((await ask(app, 'GET', '/bad')).text, 'root bad');
  });
});

describe('mistakes are told when the app is made ready', () => {
  const rejects = async (t: TestContext, files: Files, message: RegExp): Promise<void> => {
    await assert.rejects(appOf(t, files), message);
  };
  const of = (text: string): Files => ({ 'a.mjs': HEAD + text });

  it('two files for one path', (t) =>
    rejects(
      t,
      { 'a.mjs': 'export const GET = 1;', 'a/index.mjs': 'export const GET = 1;' },
      /a\/index\.mjs and .*a\.mjs: answer the same path/,
    ));
  it('two parameters for one path', (t) =>
    rejects(
      t,
      { '[a].mjs': 'export const GET = 1;', '[b].mjs': 'export const GET = 1;' },
      /\[a\]\.mjs and .*\[b\]\.mjs: answer the same path/,
    ));
  it('two groups for one path', (t) =>
    rejects(t, { '(a)/x.mjs': 'export const GET = 1;', '(b)/x.mjs': 'export const GET = 1;' }, /answer the same path/));
  it('a page and a route for one path', (t) => rejects(t, { 'a.html': '', 'a.get.mjs': 'export default 1;' }, /answer the same path/));
  it('a file of a method beside one that has it', (t) =>
    rejects(t, { 'a.mjs': 'export const GET = 1;', 'a.get.mjs': 'export default 2;' }, /a(?:\.get)?\.mjs/));
  it('no route', (t) => rejects(t, of('export const helper = 1;'), /a\.mjs: exports helper, and no route: export GET/));
  it('no export', (t) => rejects(t, { 'a.mjs': '' }, /a\.mjs: exports nothing/));
  it('a method in another spelling', (t) =>
    rejects(t, of('export const Get = () => 1; export const POST = 1;'), /exports Get, which is no method; GET is meant\?/));
  it('nearly a method', (t) =>
    rejects(t, of('export const DELTE = () => 1; export const GET = 1;'), /DELTE, which is no method; DELETE is meant\?/));
  it('two handlers of one method', (t) => rejects(t, of('export const GET = 1; export const get = 2;'), /two handlers of GET/));
  it('a default beside all', (t) => rejects(t, of('export const all = () => 1; export default () => 2;'), /two handlers of all methods/));
  it('an export that its name denies', (t) =>
    rejects(t, { 'a.get.mjs': 'export const POST = 1;' }, /answers GET by its name, and exports POST/));
  it('a list with something else in it', (t) => rejects(t, of('export default [r.GET(1), () => 2];'), /item 2 of its default export/));
  it('config that is none', (t) =>
    rejects(t, of('export const config = { middlewares: [] }; export const GET = 1;'), /config has no middlewares; middleware is meant\?/));
  it('page that is none', (t) => rejects(t, of('export const page = { befor: 1 }; export const GET = 1;'), /page has no befor/));
  it('a hook that is no function', (t) =>
    rejects(t, of('export const page = { before: 1 }; export const GET = 1;'), /page\.before is a function/));
  it('a schema that is none', (t) =>
    rejects(t, of('export const config = { schema: { body: 5 } }; export const POST = 1;'), /a\.mjs.*body/s));
  it('a special file without a function', (t) =>
    rejects(t, { '_middleware.mjs': 'export const a = 1;', 'a.mjs': 'export const GET = 1;' }, /_middleware\.mjs: needs a default export/));
  it('a websocket that is none', (t) => rejects(t, of('export const websocket = 5;'), /websocket is an object/));
  it('a websocket with a handler that is none', (t) => rejects(t, of('export const websocket = { opne: () => 1 };'), /a\.mjs: .*opne/s));
  it('two handlers of what asks for no socket', (t) =>
    rejects(
      t,
      of('export const websocket = { request: () => 1 }; export const GET = 1;'),
      /a\.mjs: has a handler of GET, and one by the name/,
    ));
  it('options of a websocket without one', (t) =>
    rejects(t, of('export const config = { websocket: {} }; export const GET = 1;'), /a\.mjs: has config\.websocket/));
  it('options of a websocket that are none', (t) =>
    rejects(
      t,
      of('export const config = { websocket: { maxPaylod: 1 } }; export const websocket = { open() {} };'),
      /a\.mjs: .*maxPaylod/s,
    ));
  it('a module that throws', async (t) => {
    const error: Error = await appOf(t, { 'sub/a.mjs': "\nconst at = () => { throw new Error('at load\\nmore'); };\nat();" }).then(
      () => assert.fail(),
      (found: Error) => found,
    );
    assert.match(error.message, /fulmar-routes-\w+\/sub\/a\.mjs:2: could not be loaded: at load\.$/);
    assert.equal((error.cause as Error).message, 'at load\nmore');
  });
  it('a module that throws what is no error', (t) => rejects(t, of("throw 'text';"), /a\.mjs: could not be loaded: text/));
  it('a module that does not parse', (t) => rejects(t, of('export const GET = ;'), /a\.mjs.*: could not be loaded: Unexpected token/));
  it('an import that is not there', (t) =>
    rejects(t, of("import './none.mjs'; export const GET = 1;"), /a\.mjs.*: could not be loaded: Cannot find module .*none\.mjs/));
  it('a module that one imports and that throws', (t) =>
    rejects(
      t,
      { 'a.mjs': "import './_lib.mjs'; export const GET = 1;", '_lib.mjs': "\nthrow new Error('in lib');" },
      /a\.mjs: could not be loaded: in lib \(file:.*_lib\.mjs:2(?::\d+)?\)/,
    ));
  it('modules that import each other', (t) =>
    rejects(
      t,
      {
        'a.mjs': "import { b } from './b.mjs'; export const a = b + 1; export const GET = () => a;",
        'b.mjs': "import { a } from './a.mjs'; export const b = a + 1; export const GET = () => b;",
      },
      /[ab]\.mjs.*: could not be loaded: Cannot access '[ab]' before initialization \(do modules import each other\?\)/,
    ));
  it('values that are not there yet, for modules that import each other', (t) =>
    rejects(
      t,
      {
        'a.cjs': "exports.value = undefined; const b = require('./b.cjs'); exports.GET = b.value;",
        'b.cjs': "const a = require('./a.cjs'); exports.GET = () => 1; exports.value = a.value;",
      },
      /a\.cjs: what it exports for GET is undefined: does its module import itself/,
    ));
  for (const [what, text, message] of [
    ['a symbol', "export const GET = Symbol('a');", /a\.mjs: what it exports for GET is a symbol/],
    [
      'a value that contains itself',
      'const a = {}; a.a = a; export default a;',
      /a\.mjs: what it exports for GET cannot be written as JSON/,
    ],
    ['a bigint within a value', 'export const GET = { a: 5n };', /a\.mjs: what it exports for GET cannot be written as JSON/],
    ['a Map', 'export default new Map();', /a\.mjs: what it exports for GET is a Map/],
    ['a Response', "export const GET = new Response('x');", /can be sent once: export a function/],
    ['a stream', 'export const GET = (function* () {})();', /can be sent once: export a function/],
    ['a function among values', 'export default { a: 1, go: () => 1 };', /has go, a function, which JSON leaves out/],
    ['a class', 'export default class {}', /what it exports for all methods is a class: export a function/],
  ] as const)
    it(what, (t) => rejects(t, of(text), message));
  it('a folder that is not there', async () => {
    await assert.rejects(createRoutes({ dir: '/nowhere/at/all' }).ready(), /There is no folder of routes at \/nowhere\/at\/all/);
  });
  it('what is no folder at all', () => {
    assert.throws(() => createRoutes({ dir: 5 as never }), /dir of createRoutes\(\)/);
    assert.throws(() => createRoutes({ dri: 'x' } as never), /dri/);
  });
  it('a folder that is a file', async (t) => {
    const folder = folderWith(t, { 'a.mjs': '' });
    await assert.rejects(createRoutes({ dir: join(folder, 'a.mjs') }).ready(), /is a file/);
  });
});

test('links that lead out of the folder are none of its files', async (t) => {
  const outside = mkdtempSync(join(tmpdir(), 'fulmar-outside-'));
  writeFileSync(join(outside, 'secret.html'), 'secret');
  const folder = folderWith(t, { 'a.mjs': "export const GET = () => 'a';", 'real/b.mjs': "export const GET = () => 'b';" });
  symlinkSync(outside, join(folder, 'out'));
  symlinkSync(join(outside, 'secret.html'), join(folder, 'secret.html'));
  symlinkSync(join(folder, 'real'), join(folder, 'linked'));
  symlinkSync('/nowhere', join(folder, 'broken.mjs'));
  const app = createRoutes({ dir: folder });
  await app.ready();
  assert.equal((await ask(app, 'GET', '/secret')).status, 404);
  assert.equal((await ask(app, 'GET', '/out/secret')).status, 404);
  assert.equal((await ask(app, 'GET', '/linked/b')).text, 'b');
});

test('routes of a folder go below a prefix of another app', async (t) => {
  const inner = createRoutes({
    dir: folderWith(t, {
      'files/[...path].mjs': 'export const GET = (c) => c.params.path;',
      'index.mjs': "export const GET = () => 'in';",
    }),
  });
  const app = createApp();
  app.get('/', () => 'out').route('/api', inner);
  assert.equal((await ask(app, 'GET', '/')).text, 'out');
  assert.equal((await ask(app, 'GET', '/api')).text, 'in');
  assert.equal((await ask(app, 'GET', '/api/files/a%2Fb/c')).text, '["a/b","c"]');
});

test('what a handler returns and cannot be sent is an error that names the file', async (t) => {
  const lines: string[] = [];
  const app = await appOf(
    t,
    {
      'function.mjs': 'export const GET = () => () => 1;',
      'symbol.mjs': "export const GET = async () => Symbol('a');",
      'cycle.mjs': 'export const GET = () => { const a = {}; a.a = a; return a; };',
      'map.mjs': 'export const GET = () => new Map();',
    },
    { logger: { error: (...given: unknown[]) => void lines.push(given.map(String).join(' ')) } },
  );
  for (const name of ['function', 'symbol', 'cycle', 'map']) {
    const { status, text } = await ask(app, 'GET', `/${name}`);
    assert.equal(status, 500);
    assert.doesNotMatch(text, /mjs/);
    assert.match(lines.at(-1) ?? '', new RegExp(`GET /${name} has returned it \\(.*[/\\\\]${name}\\.mjs:1\\)`));
  }
});
