/**
 * `jwt()` and `signJwt()`: whose token is believed.
 */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { type App, createApp } from '../../../src/app/index.ts';
import { jwt, type JwtOptions, signJwt } from '../../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from '../case.ts';
import { defineRefusals } from './refused.ts';

const SECRET = 'a secret of more than thirty-two characters';
const LONG = SECRET.padEnd(64, '!');
const HS: JwtOptions = { secret: SECRET, algorithms: ['HS256'] };
const encoder = new TextEncoder();
const nowS = Math.floor(Date.now() / 1000);
const HOUR_S = 3600;

const keys = await generateKeyPair('RS256', { extractable: true });
const others = await generateKeyPair('RS256', { extractable: true });
const curve = await generateKeyPair('ES256', { extractable: true });
const pem = await exportSPKI(keys.publicKey);
const RS: JwtOptions = { key: pem, algorithms: ['RS256'] };

const made = (
  claims: Record<string, unknown>,
  alg = 'HS256',
  key: CryptoKey | Uint8Array = encoder.encode(SECRET),
  kid?: string,
): Promise<string> =>
  new SignJWT({ exp: nowS + HOUR_S, ...claims }).setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }) }).sign(key);
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const guarded =
  (options: JwtOptions) =>
  (app: App): void => {
    const tokens = jwt(options);
    app.get('/', tokens, (c) => c.json({ sub: tokens.of(c).sub ?? null, same: c.state['claims'] === tokens.of(c) }));
  };
const lets = (name: string, token: string, options: JwtOptions = HS, sub: string | null = 'ada'): AppCase => ({
  name,
  app: guarded(options),
  ask: { url: '/', headers: { Authorization: `Bearer ${token}` } },
  expect: { json: { sub, same: true } },
});
const refuses = (name: string, token: string, detail: string, options: JwtOptions = HS): AppCase => ({
  name,
  app: guarded(options),
  ask: { url: '/', headers: { Authorization: `Bearer ${token}` } },
  expect: {
    status: 401,
    json: { title: 'Unauthorized', status: 401, detail },
    headers: { 'www-authenticate': `Bearer realm="Protected", error="invalid_token", error_description="${detail}"` },
  },
});

const ada = await made({ sub: 'ada' });
const [head = '', claims = '', signature = ''] = ada.split('.');
const INVALID = 'The token is not valid.';
const NONE = 'This is no token.';
const EXPIRED = 'The token has expired.';

defineCases('jwt with a secret', [
  lets('a token', ada),
  lets('a token without a subject', await made({}), HS, null),
  lets('one of several algorithms', await made({ sub: 'ada' }, 'HS512', encoder.encode(LONG)), {
    secret: LONG,
    algorithms: ['HS256', 'HS512'],
  }),
  refuses('another signature', `${head}.${claims}.${signature.slice(0, -4)}AAAA`, INVALID),
  refuses('no signature', `${head}.${claims}.`, NONE),
  refuses('claims that were changed', `${head}.${part({ sub: 'eve', exp: nowS + HOUR_S })}.${signature}`, INVALID),
  refuses('a head that was changed', `${part({ alg: 'HS512' })}.${claims}.${signature}`, INVALID),
  refuses('another secret', await made({ sub: 'ada' }, 'HS256', encoder.encode('x'.repeat(32))), INVALID),
  refuses('the algorithm none', new UnsecuredJWT({ sub: 'ada', exp: nowS + HOUR_S }).encode(), NONE),
  refuses('the algorithm none with a signature', `${part({ alg: 'none' })}.${claims}.${signature}`, INVALID),
  refuses('the algorithm NONE with a signature', `${part({ alg: 'NONE' })}.${claims}.${signature}`, INVALID),
  refuses('no algorithm', `${part({})}.${claims}.${signature}`, INVALID),
  refuses('an algorithm that was not named', await made({ sub: 'ada' }, 'HS512', encoder.encode(SECRET.padEnd(64))), INVALID),
  refuses(
    'extensions that are critical and unknown',
    await new SignJWT({ exp: nowS + HOUR_S })
      .setProtectedHeader({ alg: 'HS256', crit: ['b64'], b64: true })
      .sign(encoder.encode(SECRET))
      .then((token) => token.replace(/^[^.]+/, part({ alg: 'HS256', crit: ['x'], x: 1 }))),
    INVALID,
  ),
  refuses('claims that are a list', `${head}.${part([1])}.${signature}`, INVALID),
  refuses('a token that is over', await made({ exp: nowS - 1 }), EXPIRED),
  lets('one that has just ended, with a tolerance', await made({ sub: 'ada', exp: nowS - 1 }), { ...HS, clockTolerance: 60 }),
  refuses('one that is not yet right', await made({ nbf: nowS + HOUR_S }), 'The claim nbf of the token is not right.'),
  refuses(
    'one without an end',
    await new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg: 'HS256' }).sign(encoder.encode(SECRET)),
    'The claim exp of the token is not right.',
  ),
  lets(
    'one without an end where that is allowed',
    await new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg: 'HS256' }).sign(encoder.encode(SECRET)),
    { ...HS, requiredClaims: [] },
  ),
  refuses('an end that is no number', await made({ exp: 'never' }), 'The claim exp of the token is not right.'),
  lets('an issuer', await made({ sub: 'ada', iss: 'here' }), { ...HS, issuer: 'here' }),
  lets('one of several issuers', await made({ sub: 'ada', iss: 'here' }), { ...HS, issuer: ['there', 'here'] }),
  refuses('another issuer', await made({ iss: 'elsewhere' }), 'The claim iss of the token is not right.', { ...HS, issuer: 'here' }),
  refuses('no issuer', await made({}), 'The claim iss of the token is not right.', { ...HS, issuer: 'here' }),
  lets('an audience', await made({ sub: 'ada', aud: ['birds', 'bees'] }), { ...HS, audience: 'birds' }),
  refuses('another audience', await made({ aud: 'bees' }), 'The claim aud of the token is not right.', { ...HS, audience: 'birds' }),
  refuses('what is no token', 'x', NONE),
  refuses('five parts', `${ada}.x.y`, NONE),
  refuses('two tokens', `${ada}, ${ada}`, NONE),
  {
    name: 'nothing: no error is named',
    app: guarded(HS),
    ask: '/',
    expect: { status: 401, headers: { 'www-authenticate': 'Bearer realm="Protected"' }, json: { title: 'Unauthorized', status: 401 } },
  },
  {
    name: 'a scheme in another case',
    app: guarded(HS),
    ask: { url: '/', headers: { Authorization: `bEARER ${ada}` } },
    expect: { json: { sub: 'ada', same: true } },
  },
  {
    name: 'another scheme',
    app: guarded({ ...HS, realm: 'the "back" office' }),
    ask: { url: '/', headers: { Authorization: `Basic ${ada}` } },
    expect: { status: 401, headers: { 'www-authenticate': 'Bearer realm="the \\"back\\" office"' } },
  },
  {
    name: 'a token in its cookie',
    app: guarded({ ...HS, cookie: 'token' }),
    ask: { url: '/', headers: { Cookie: `token=${ada}` } },
    expect: { json: { sub: 'ada', same: true } },
  },
  {
    name: 'a token in a cookie that nobody named',
    app: guarded(HS),
    ask: { url: '/', headers: { Cookie: `token=${ada}` } },
    expect: { status: 401 },
  },
  {
    name: 'a cookie is not looked at beside other credentials',
    app: guarded({ ...HS, cookie: 'token' }),
    ask: { url: '/', headers: { Cookie: `token=${ada}`, Authorization: 'Bearer x' } },
    expect: { status: 401 },
  },
]);

const schema = (isRight: boolean): JwtOptions['schema'] => ({
  '~standard': {
    version: 1,
    vendor: 'x',
    validate: (value) => Promise.resolve(isRight ? { value: { ...(value as object), sub: 'made' } } : { issues: [{ message: 'no' }] }),
  },
});

defineCases('jwt with scopes and a schema', [
  lets('scopes that are granted', await made({ sub: 'ada', scope: 'read write' }), { ...HS, scopes: ['write'] }),
  lets('scopes in a list', await made({ sub: 'ada', scp: ['write'] }), { ...HS, scopes: ['write'] }),
  {
    name: 'scopes that are not',
    app: guarded({ ...HS, scopes: ['read', 'write'] }),
    ask: { url: '/', headers: { Authorization: `Bearer ${await made({ scope: 'read writes' })}` } },
    expect: {
      status: 403,
      headers: { 'www-authenticate': 'Bearer realm="Protected", error="insufficient_scope", scope="read write"' },
    },
  },
  lets('claims that a schema makes', ada, { ...HS, schema: schema(true) as never }, 'made'),
  refuses('claims that do not fit', ada, 'The claims of the token are not those that are expected.', {
    ...HS,
    schema: schema(false) as never,
  }),
]);

const byAda = await made({ sub: 'ada' }, 'RS256', keys.privateKey);

defineCases('jwt with a public key', [
  lets('PEM', byAda, RS),
  lets('a JWK', byAda, { key: { ...(await exportJWK(keys.publicKey)) }, algorithms: ['RS256'] }),
  lets('a CryptoKey', byAda, { key: keys.publicKey, algorithms: ['RS256'] }),
  lets('of a curve', await made({ sub: 'ada' }, 'ES256', curve.privateKey), {
    key: await exportSPKI(curve.publicKey),
    algorithms: ['ES256'],
  }),
  refuses('of somebody else', await made({}, 'RS256', others.privateKey), INVALID, RS),
  // The public key as a secret: whoever has it, and everybody may, could sign.
  refuses('HS256 with the public key for a secret', await made({ sub: 'eve' }, 'HS256', encoder.encode(pem)), INVALID, RS),
  refuses('HS256 with the key of a JWK', await made({ sub: 'eve' }, 'HS256', encoder.encode(pem)), INVALID, {
    key: { ...(await exportJWK(keys.publicKey)) },
    algorithms: ['RS256'],
  }),
]);

describe('jwt with keys by their address', () => {
  let server: Server;
  let asked = 0;
  let answer: () => { status: number; text: string };
  let address = '';
  before(async () => {
    server = createServer((_req, res) => {
      asked += 1;
      const { status, text } = answer();
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  });
  after(() => void server.close());
  const set = async (...pairs: [kid: string, key: CryptoKey][]): Promise<string> =>
    JSON.stringify({
      keys: await Promise.all(pairs.map(async ([kid, key]) => ({ ...(await exportJWK(key)), kid, alg: 'RS256', use: 'sig' }))),
    });
  const asking = (options: Partial<JwtOptions> = {}): ((token: string) => Promise<{ status: number; text: string }>) => {
    const app = createApp({ logger: { error: () => {} } });
    guarded({ jwks: address, algorithms: ['RS256'], ...options })(app);
    return (token) => app.inject({ url: '/', headers: { authorization: `Bearer ${token}` } });
  };
  it('asks once, and takes the key that the token names', async () => {
    const text = await set(['one', keys.publicKey], ['two', others.publicKey]);
    answer = () => ({ status: 200, text });
    asked = 0;
    const ask = asking();
    for (const [kid, key] of [
      ['one', keys.privateKey],
      ['two', others.privateKey],
    ] as const)
      assert.equal((await ask(await made({ sub: 'ada' }, 'RS256', key, kid))).status, 200);
    assert.equal((await ask(await made({ sub: 'ada' }, 'RS256', keys.privateKey, 'two'))).status, 401);
    assert.equal(asked, 1);
  });
  it('does not ask again at once for a key that is not there', async () => {
    const text = await set(['one', keys.publicKey]);
    answer = () => ({ status: 200, text });
    asked = 0;
    const ask = asking();
    for (let times = 0; times < 5; times += 1)
      assert.equal((await ask(await made({}, 'RS256', keys.privateKey, `other${times}`))).status, 401);
    assert.ok(asked <= 2, String(asked));
  });
  it('asks again for a key that is new', async () => {
    const [before_, after_] = [await set(['one', keys.publicKey]), await set(['two', others.publicKey])];
    answer = () => ({ status: 200, text: before_ });
    const ask = asking({ jwksCooldownMs: 0 });
    assert.equal((await ask(await made({ sub: 'ada' }, 'RS256', keys.privateKey, 'one'))).status, 200);
    answer = () => ({ status: 200, text: after_ });
    assert.equal((await ask(await made({ sub: 'ada' }, 'RS256', others.privateKey, 'two'))).status, 200);
  });
  it('is 503 when the keys cannot be had', async () => {
    const token = await made({}, 'RS256', keys.privateKey, 'one');
    for (const wrong of [
      { status: 500, text: '' },
      { status: 200, text: '{' },
      { status: 200, text: '{"keys":7}' },
    ]) {
      answer = () => wrong;
      assert.equal((await asking()(token)).status, 503, JSON.stringify(wrong));
    }
    const gone = asking({ jwks: 'http://127.0.0.1:1/keys' });
    assert.equal((await gone(token)).status, 503);
  });
});

describe('signJwt', () => {
  const claimsBy = async (token: string, options: JwtOptions): Promise<Record<string, unknown>> => {
    const app = createApp();
    const tokens = jwt(options);
    app.get('/', tokens, (c) => c.json(tokens.of(c)));
    return JSON.parse((await app.inject({ url: '/', headers: { authorization: `Bearer ${token}` } })).text) as Record<string, unknown>;
  };
  it('makes what jwt() reads, with a secret', async () => {
    const token = await signJwt(
      { role: 'admin' },
      { algorithm: 'HS256', secret: SECRET, expiresIn: 60, issuer: 'here', audience: 'birds', subject: 'ada', keyId: 'k' },
    );
    const { iat, exp, ...rest } = await claimsBy(token, { ...HS, issuer: 'here', audience: 'birds' });
    assert.deepEqual(rest, { role: 'admin', iss: 'here', aud: ['birds'], sub: 'ada' });
    assert.equal(Number(exp) - Number(iat), 60);
    assert.deepEqual(JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()), {
      alg: 'HS256',
      typ: 'JWT',
      kid: 'k',
    });
  });
  it('makes what jwt() reads, with a private key in each form', async () => {
    for (const key of [await exportPKCS8(keys.privateKey), { ...(await exportJWK(keys.privateKey)) }, keys.privateKey])
      assert.equal((await claimsBy(await signJwt({ sub: 'ada' }, { algorithm: 'RS256', key, expiresIn: 60 }), RS))['sub'], 'ada');
  });
  it('refuses what is wrong', async () => {
    const wrong: [claims: unknown, options: unknown, message: RegExp][] = [
      ['x', { algorithm: 'HS256', secret: SECRET, expiresIn: 1 }, /takes an object of claims/],
      [{}, { algorithm: 'HS256', secret: SECRET }, /needs algorithm and expiresIn/],
      [{}, { algorithm: 'none', secret: SECRET, expiresIn: 1 }, /algorithm is one of HS256/],
      [{}, { algorithm: 'HS256', expiresIn: 1 }, /needs one of secret and key/],
      [{}, { algorithm: 'HS256', secret: 'short', expiresIn: 1 }, /32 bytes at least/],
      [{}, { algorithm: 'RS256', secret: SECRET, expiresIn: 1 }, /RS256 goes with a key/],
      [{}, { algorithm: 'HS256', secret: SECRET, expiresIn: '1h' }, /expiresIn is a number of seconds/],
    ];
    for (const [given, options, message] of wrong)
      await assert.rejects(signJwt(given as never, options as never), { name: 'TypeError', message });
  });
});

describe('claims that are not there', () => {
  it('are an error that says what is missing', async () => {
    const tokens = jwt(HS);
    const app = createApp();
    app.get('/', (c) => {
      try {
        return c.json(tokens.of(c));
      } catch (error) {
        return (error as Error).message;
      }
    });
    assert.match((await app.inject('/')).text, /has no token: app\.use\(\)/);
  });
});

defineRefusals('jwt', [
  ['no key', () => jwt({ algorithms: ['HS256'] }), /needs one of secret, key and jwks/],
  ['two keys', () => jwt({ ...HS, key: pem }), /needs one of secret, key and jwks/],
  ['no algorithms', () => jwt({ secret: SECRET } as never), /needs algorithms/],
  ['an empty list of algorithms', () => jwt({ secret: SECRET, algorithms: [] }), /algorithms is a list of some of/],
  ['the algorithm none', () => jwt({ secret: SECRET, algorithms: ['none' as never] }), /algorithms is a list of some of/],
  ['a short secret', () => jwt({ secret: 'short', algorithms: ['HS256'] }), /32 bytes at least/],
  ['a secret too short for one of them', () => jwt({ secret: SECRET, algorithms: ['HS256', 'HS512'] }), /HS512 has 64 bytes at least/],
  ['a secret for a public key', () => jwt({ secret: SECRET, algorithms: ['RS256'] }), /RS256 goes with a key/],
  ['a public key for a secret', () => jwt({ key: pem, algorithms: ['RS256', 'HS256'] }), /HS256 goes with a secret/],
  ['keys over an open line', () => jwt({ jwks: 'http://birds.example/keys', algorithms: ['RS256'] }), /with https/],
  ['an address that is none', () => jwt({ jwks: 'keys', algorithms: ['RS256'] }), /the address of a JWK set/],
  [
    'a key that is none, which it does not tell',
    () => jwt({ key: 'some-text', algorithms: ['RS256'] }),
    /^(?!.*some-text).*key is PEM, a JWK or a CryptoKey/,
  ],
  ['a schema that is none', () => jwt({ ...HS, schema: {} as never }), /schema is a schema/],
  ['a scope with spaces', () => jwt({ ...HS, scopes: ['read write'] }), /scopes is a list of scopes/],
]);
