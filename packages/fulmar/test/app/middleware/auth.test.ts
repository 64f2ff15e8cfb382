/**
 * `basicAuth()` and `bearerAuth()`: who is let in.
 */
import { type App } from '../../../src/app/index.ts';
import { basicAuth, type BasicAuthOptions, bearerAuth, type BearerAuthOptions } from '../../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from '../case.ts';
import { defineRefusals } from './refused.ts';

const USERS = { ada: 'pass:word', grüße: 'schön' };
const CHALLENGE = 'Basic realm="Protected", charset="UTF-8"';

const withBasic =
  (options: BasicAuthOptions) =>
  (app: App): void => {
    app.get('/', basicAuth(options), (c) => c.json({ user: c.state['user'] ?? null }));
  };
const basic = (text: string, scheme = 'Basic') => ({
  url: '/',
  headers: { Authorization: `${scheme} ${Buffer.from(text).toString('base64')}` },
});
const refused = (challenge: string): AppCase['expect'] => ({
  status: 401,
  headers: { 'www-authenticate': challenge },
  json: { title: 'Unauthorized', status: 401 },
});

defineCases('basicAuth', [
  { name: 'lets in who is right', app: withBasic({ users: USERS }), ask: basic('ada:pass:word'), expect: { json: { user: 'ada' } } },
  {
    name: 'takes the scheme in any case',
    app: withBasic({ users: USERS }),
    ask: basic('ada:pass:word', 'BASIC'),
    expect: { json: { user: 'ada' } },
  },
  { name: 'reads UTF-8', app: withBasic({ users: USERS }), ask: basic('grüße:schön'), expect: { json: { user: 'grüße' } } },
  { name: 'asks who says nothing', app: withBasic({ users: USERS }), ask: '/', expect: refused(CHALLENGE) },
  { name: 'refuses another password', app: withBasic({ users: USERS }), ask: basic('ada:pass:worD'), expect: refused(CHALLENGE) },
  { name: 'refuses the begin of a password', app: withBasic({ users: USERS }), ask: basic('ada:pass'), expect: refused(CHALLENGE) },
  { name: 'refuses a password twice', app: withBasic({ users: USERS }), ask: basic('ada:pass:wordpass:word'), expect: refused(CHALLENGE) },
  { name: 'refuses an empty password', app: withBasic({ users: USERS }), ask: basic('ada:'), expect: refused(CHALLENGE) },
  { name: 'refuses what stands for nobody', app: withBasic({ users: USERS }), ask: basic('eve:nobody'), expect: refused(CHALLENGE) },
  { name: 'refuses names of every object', app: withBasic({ users: USERS }), ask: basic('constructor:x'), expect: refused(CHALLENGE) },
  { name: 'refuses what has no colon', app: withBasic({ users: USERS }), ask: basic('ada'), expect: refused(CHALLENGE) },
  {
    name: 'refuses what is no base64',
    app: withBasic({ users: USERS }),
    ask: { url: '/', headers: { Authorization: 'Basic %%%' } },
    expect: refused(CHALLENGE),
  },
  {
    name: 'refuses another scheme',
    app: withBasic({ users: USERS }),
    ask: basic('ada:pass:word', 'Bearer'),
    expect: refused(CHALLENGE),
  },
  {
    name: 'quotes its realm',
    app: withBasic({ users: USERS, realm: 'the "back" office' }),
    ask: '/',
    expect: refused('Basic realm="the \\"back\\" office", charset="UTF-8"'),
  },
  {
    name: 'asks a function, whose value is the user',
    app: withBasic({ verify: async (name, password) => (await Promise.resolve(password)) === 'x' && { id: 7, name } }),
    ask: basic('ada:x'),
    expect: { json: { user: { id: 7, name: 'ada' } } },
  },
  { name: 'a function’s true is the name', app: withBasic({ verify: () => true }), ask: basic('ada:x'), expect: { json: { user: 'ada' } } },
  { name: 'a function that finds nobody', app: withBasic({ verify: () => undefined }), ask: basic('ada:x'), expect: refused(CHALLENGE) },
  {
    name: 'a function that fails lets nobody in',
    app: withBasic({ verify: () => Promise.reject(new Error('of the database')) }),
    ask: basic('ada:x'),
    expect: { status: 500 },
  },
]);

const withBearer =
  (options: BearerAuthOptions) =>
  (app: App): void => {
    app.use('/api', bearerAuth(options));
    app.get('/api', (c) => c.json({ user: c.state['user'] ?? null }));
    app.get('/open', () => 'open');
  };
const bearer = (token: string, scheme = 'Bearer') => ({ url: '/api', headers: { Authorization: `${scheme} ${token}` } });
const WRONG = 'Bearer realm="Protected", error="invalid_token"';
const tokens = ['first-token', 'second.token=='];

defineCases('bearerAuth', [
  { name: 'lets in who has a token', app: withBearer({ tokens }), ask: bearer('second.token=='), expect: { json: { user: null } } },
  {
    name: 'takes the scheme in any case',
    app: withBearer({ tokens }),
    ask: bearer('first-token', 'bearer'),
    expect: { json: { user: null } },
  },
  {
    name: 'asks who says nothing, and names no error',
    app: withBearer({ tokens }),
    ask: '/api',
    expect: refused('Bearer realm="Protected"'),
  },
  { name: 'refuses another token', app: withBearer({ tokens }), ask: bearer('third-token'), expect: refused(WRONG) },
  { name: 'refuses a begin of one', app: withBearer({ tokens }), ask: bearer('first'), expect: refused(WRONG) },
  { name: 'refuses what is no token', app: withBearer({ tokens }), ask: bearer('first-token, x'), expect: refused(WRONG) },
  { name: 'is for its path alone', app: withBearer({ tokens }), ask: '/open', expect: { text: 'open' } },
  {
    name: 'asks a function',
    app: withBearer({ verify: (token) => Promise.resolve(token === 't' ? { sub: 'ada' } : null) }),
    ask: bearer('t'),
    expect: { json: { user: { sub: 'ada' } } },
  },
  { name: 'a function that finds nobody', app: withBearer({ verify: () => null }), ask: bearer('t'), expect: refused(WRONG) },
]);

defineRefusals('basicAuth', [
  ['nobody to ask', () => basicAuth({}), /needs one of users, passwords by name, and verify/],
  ['two to ask', () => basicAuth({ users: USERS, verify: () => true }), /needs one of/],
  ['an empty password', () => basicAuth({ users: { ada: '' } }), /users is an object of passwords by name, none of them empty/],
  ['a name with a colon', () => basicAuth({ users: { 'a:b': 'x' } }), /no colon in a name/],
  ['a password for nobody', () => basicAuth({ users: {} }), /users is an object/],
  ['an option that is none', () => basicAuth({ user: USERS } as never), /no option user; did you mean users/],
]);

defineRefusals('bearerAuth', [
  ['nobody to ask', () => bearerAuth({}), /needs one of tokens, a list, and verify/],
  [
    'one token without a list, which it does not tell',
    () => bearerAuth({ tokens: 'a-secret' as never }),
    /^(?!.*a-secret).*tokens is a list of tokens/,
  ],
  ['an empty token', () => bearerAuth({ tokens: [''] }), /tokens is a list of tokens/],
]);
