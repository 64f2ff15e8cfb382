/**
 * Sessions, signed cookies and tokens of the app on the QuickJS host: they stand on the web's cryptography
 * alone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nativeHost } from '../harness/host.ts';
import { run } from './support.ts';

const SESSIONS = `const { createApp } = require('fulmar');
const { session } = require('fulmar/middleware');
const told = [];
const visit = async (store) => {
  const app = createApp();
  const sessions = session({ secret: 'a'.repeat(32), store });
  app.use(sessions);
  app.get('/', async (c) => {
    const { data } = await sessions.of(c);
    data.count = (data.count ?? 0) + 1;
    return data.count;
  });
  let cookie = '';
  for (let times = 0; times < 3; times += 1) {
    const reply = await app.inject({ url: '/', headers: { cookie } });
    told.push(reply.text);
    cookie = String(reply.headers['set-cookie']).split(';')[0];
  }
  told.push((await app.inject({ url: '/', headers: { cookie: cookie.slice(0, -2) } })).text);
};
visit(undefined).then(() => visit('cookie')).then(() => console.log(JSON.stringify(told)));`;

test('sessions, in memory and in the cookie', async () => {
  const { stdout, stderr, code } = await run(nativeHost(), SESSIONS);
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(JSON.parse(stdout), ['1', '2', '3', '1', '1', '2', '3', '1']);
});

const TOKENS = `const { createApp } = require('fulmar');
const { jwt, signJwt } = require('fulmar/middleware');
const told = [];
const ask = async (options, token) => {
  const app = createApp({ logger: { error: (...what) => told.push(String(what)) } });
  const tokens = jwt(options);
  app.get('/', tokens, (c) => tokens.of(c).sub);
  const { status, text } = await app.inject({ url: '/', headers: { authorization: 'Bearer ' + token } });
  told.push(status === 200 ? text : status);
};
const KINDS = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519' },
};
(async () => {
  const secret = 'b'.repeat(32);
  const token = await signJwt({ sub: 'HS256' }, { algorithm: 'HS256', secret, expiresIn: 60 });
  await ask({ secret, algorithms: ['HS256'] }, token);
  await ask({ secret: 'c'.repeat(32), algorithms: ['HS256'] }, token);
  for (const [algorithm, kind] of Object.entries(KINDS)) {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(kind, true, ['sign', 'verify']);
    const jwk = await crypto.subtle.exportKey('jwk', publicKey);
    const spki = Buffer.from(await crypto.subtle.exportKey('spki', publicKey)).toString('base64');
    const signed = await signJwt({ sub: algorithm }, { algorithm, key: privateKey, expiresIn: 60, keyId: 'k' });
    for (const key of [publicKey, jwk, '-----BEGIN PUBLIC KEY-----\\n' + spki + '\\n-----END PUBLIC KEY-----'])
      await ask({ key, algorithms: [algorithm] }, signed);
    const keys = createApp();
    keys.get('/', () => ({ keys: [{ ...jwk, kid: 'k', alg: algorithm }] }));
    const server = await keys.listen({ port: 0, host: '127.0.0.1' });
    await ask({ jwks: 'http://127.0.0.1:' + server.address().port, algorithms: [algorithm] }, signed);
    await keys.close();
  }
  console.log(JSON.stringify(told));
})();`;

test('tokens, with secrets, keys of each form and keys by their address', async () => {
  const { stdout, stderr, code } = await run(nativeHost(), TOKENS);
  assert.deepEqual([code, stderr], [0, '']);
  const four = (name: string): string[] => Array.from({ length: 4 }, () => name);
  assert.deepEqual(JSON.parse(stdout), ['HS256', 401, ...four('RS256'), ...four('ES256'), ...four('EdDSA')]);
});
