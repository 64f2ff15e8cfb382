/**
 * A `pages/` of Zely: what its guide, its templates and its playgrounds write, by file. Runs on Zely and here, unchanged.
 */
export const PAGES: Readonly<Record<string, string>> = {
  'index.js': `module.exports = [
  GET((ctx) => {
    ctx.send({ message: 'Hello World!' });
  }),
];`,
  'hello.ts': `export function get(ctx) {
  ctx.html('<h1>Hello</h1>');
}
export function post(ctx) {
  ctx.status(201).json({ posted: true });
}`,
  'animals.ts': `import { GET, POST } from '@zely-js/core';

export default [GET({ type: 'cat', emoji: '🐱' }), POST({ type: 'dog', emoji: '🐶' })];`,
  'values.ts': `export default [GET((ctx) => ({ text: 'text', number: 5, yes: true, list: [1, 2] })[ctx.query.kind ?? 'text'])];`,
  'text.ts': 'export function get(ctx) { ctx.text("plain"); }',
  'number.ts': 'export const get = () => 5;',
  'list.ts': 'export const get = async () => [1, { a: 2 }];',
  'yes.ts': 'export const get = () => true;',
  'object.ts': `export default {
  all(ctx) {
    ctx.send('Hello World');
  },
  post(ctx) {
    ctx.send('Hello World-post');
  },
};`,
  'function.ts': 'export default (ctx) => `called by ${ctx.request.method} with ${ctx.request.headers["x-own"]}`;',
  'mixed.ts': `export default [GET('from get'), (ctx) => 'from all'];`,
  'user/[id].ts': `const users = {
  1: { name: 'anonymous #1', about: 'I love cat.' },
  2: { name: 'anonymous #2', about: 'Hello.' },
};

export default [GET((req) => users[req.params.id] ?? { unknown: req.params.id })];`,
  'user/me.ts': `export default [GET(() => 'me')];`,
  'user/[id]/about.ts': `export default [GET((ctx) => \`about \${ctx.params.id}\`)];`,
  'foo/[...bar].ts': `export default [GET((ctx) => ctx.params['*'])];`,
  'redirect.ts': `export default [GET((ctx) => ctx.redirect('/hello')), POST((ctx) => ctx.redirect('/hello', 307))];`,
  'fields.ts': `export default [
  GET((ctx) => {
    ctx.set('X-One', '1');
    ctx.headers({ 'X-Two': '2', 'Content-Type': 'text/csv' });
    ctx.send('a,b');
  }),
];`,
  'response.ts': `import { ALL, response } from '@zely-js/core';

export default [
  ALL((ctx) => {
    const res = response({ msg: 'Hello', path: ctx.pathname }, {});
    res.headers = { 'X-Own': 'yes' };
    res.status = 202;
    return res;
  }),
];`,
  'node.ts': `export function get(ctx) {
  ctx.response.statusCode = 418;
  ctx.response.setHeader('X-Node', 'yes');
  setTimeout(() => ctx.response.end('later'), 5);
}
export function put(ctx) {
  let text = '';
  ctx.request.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => ctx.request.on('end', () => resolve('got ' + text)));
}`,
  'url.ts':
    'export const get = (ctx) => ({ pathname: ctx.pathname, path: ctx.url.pathname, keys: Object.keys(ctx.query), method: ctx.request.method });',
  'guarded.ts': `import { middleware } from '@zely-js/core';

export default [
  GET((ctx) => 'who: ' + ctx.request.user),
  middleware((ctx) => {
    ctx.request.user = ctx.request.headers['x-user'] ?? 'nobody';
  }),
];`,
  'hooks.ts': `let seen = 0;
export const $page = {
  before(ctx) {
    ctx.set('X-Before', ctx.pathname);
  },
  after() {
    seen += 1;
  },
};
export const get = () => 'seen ' + seen;`,
  'late.ts': `export async function get(ctx) {
  await new Promise(setImmediate);
  ctx.send('late');
  return 'too late';
}`,
  'big.ts': `export const get = () => 'x'.repeat(100000);`,
  'unicode.ts': `export const get = (ctx) => ctx.html('größe 😀');`,
  '_404.ts': `export default [
  ALL((ctx) => {
    ctx.status(404).send({ error: \`\${ctx.pathname} not found\`, code: 404 });
  }),
];`,
};
