import * as jose from 'jose';
import { answer } from './serve.js';
const claims = { sub: 'someone', scope: 'a b' };
const now = new Date(1_700_000_000_000);
const secret = new TextEncoder().encode('a secret of at least thirty-two bytes');
const token = (alg, key, more = {}) =>
  new jose.SignJWT({ ...claims, ...more })
    .setProtectedHeader({ alg, typ: 'JWT' })
    .setIssuedAt(now)
    .setIssuer('us')
    .setAudience('you')
    .setExpirationTime(1_700_003_600)
    .sign(key);
const checks = { issuer: 'us', audience: 'you', currentDate: now };
async function tried(work) {
  try {
    return await work();
  } catch ({ name, code, message, claim, reason }) {
    return { name, code, message, claim, reason };
  }
}
async function signed() {
  const rsaPrivate = process.env['TEST_PRIVATE_KEY'];
  const rsaPublic = process.env['TEST_PUBLIC_KEY'];
  const out = {};
  for (const alg of ['RS256', 'RS384', 'RS512']) {
    const jws = await token(alg, await jose.importPKCS8(rsaPrivate, alg));
    out[alg] = [jws, (await jose.jwtVerify(jws, await jose.importSPKI(rsaPublic, alg), checks)).payload];
  }
  for (const alg of ['HS256', 'HS384', 'HS512']) {
    const jws = await token(alg, alg === 'HS512' ? new Uint8Array(64).fill(1) : alg === 'HS384' ? new Uint8Array(48).fill(1) : secret);
    out[alg] = jws;
  }
  const ed = await jose.importPKCS8(process.env['TEST_ED_PRIVATE_KEY'], 'EdDSA');
  out.EdDSA = await token('EdDSA', ed);
  for (const alg of ['PS256', 'ES256', 'ES384', 'ES512', 'Ed25519']) {
    const { publicKey, privateKey } = await jose.generateKeyPair(alg, { extractable: true });
    const jwk = await jose.exportJWK(publicKey);
    const jws = await token(alg, privateKey);
    const { payload, protectedHeader } = await jose.jwtVerify(jws, await jose.importJWK(jwk, alg), checks);
    out[alg] = [
      payload,
      protectedHeader,
      Object.keys(jwk),
      (await jose.exportPKCS8(privateKey)).split('\n')[0],
      (await jose.exportSPKI(publicKey)).length,
    ];
  }
  return out;
}
async function encrypted() {
  const out = {};
  const rsa = [
    await jose.importSPKI(process.env['TEST_PUBLIC_KEY'], 'RSA-OAEP-256'),
    await jose.importPKCS8(process.env['TEST_PRIVATE_KEY'], 'RSA-OAEP-256'),
  ];
  const pair = async (alg, options) => {
    const { publicKey, privateKey } = await jose.generateKeyPair(alg, options);
    return [publicKey, privateKey];
  };
  const same = (bytes) => [new Uint8Array(bytes).fill(7), new Uint8Array(bytes).fill(7)];
  const algorithms = [
    ['RSA-OAEP-256', rsa],
    ['ECDH-ES', await pair('ECDH-ES', { crv: 'P-256' })],
    ['ECDH-ES+A128KW', await pair('ECDH-ES+A128KW', { crv: 'X25519' })],
    ['A256KW', same(32)],
    ['A128GCMKW', same(16)],
    ['PBES2-HS256+A128KW', same(12)],
  ];
  for (const [alg, [by, of]] of algorithms) {
    for (const enc of ['A256GCM', 'A128CBC-HS256']) {
      out[`${alg} ${enc}`] = await tried(async () => {
        const jwe = await new jose.CompactEncrypt(new TextEncoder().encode('a message')).setProtectedHeader({ alg, enc }).encrypt(by);
        const { plaintext, protectedHeader } = await jose.compactDecrypt(jwe, of, {
          keyManagementAlgorithms: [alg],
          maxPBES2Count: 10_000,
        });
        const broken = await tried(() => jose.compactDecrypt(`${jwe.slice(0, -4)}AAAA`, of, { keyManagementAlgorithms: [alg] }));
        return [new TextDecoder().decode(plaintext), Object.keys(protectedHeader), jwe.split('.').length, broken];
      });
    }
  }
  const jwt = await new jose.EncryptJWT(claims).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(new Uint8Array(32).fill(3));
  out.dir = (await jose.jwtDecrypt(jwt, new Uint8Array(32).fill(3))).payload;
  return out;
}
async function keys() {
  const jwk = await jose.exportJWK(await jose.importSPKI(process.env['TEST_PUBLIC_KEY'], 'RS256', { extractable: true }));
  const set = jose.createLocalJWKSet({
    keys: [
      { ...jwk, kid: 'one', alg: 'RS256', use: 'sig' },
      { kty: 'oct', k: 'AAAA', kid: 'two' },
    ],
  });
  const jws = await new jose.SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .sign(await jose.importPKCS8(process.env['TEST_PRIVATE_KEY'], 'RS256'));
  const lost = await new jose.SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'three' })
    .sign(await jose.importPKCS8(process.env['TEST_PRIVATE_KEY'], 'RS256'));
  return {
    jwk,
    thumbprint: await jose.calculateJwkThumbprint(jwk),
    uri: await jose.calculateJwkThumbprintUri(jwk, 'sha384'),
    found: (await jose.jwtVerify(jws, set)).payload,
    lost: await tried(() => jose.jwtVerify(lost, set)),
  };
}
async function refused() {
  const jws = await token('HS256', secret);
  return {
    expired: await tried(() => jose.jwtVerify(jws, secret, { currentDate: new Date(1_800_000_000_000) })),
    issuer: await tried(() => jose.jwtVerify(jws, secret, { ...checks, issuer: 'them' })),
    algorithm: await tried(() => jose.jwtVerify(jws, secret, { ...checks, algorithms: ['HS512'] })),
    signature: await tried(() => jose.jwtVerify(`${jws.slice(0, -4)}AAAA`, secret, checks)),
    wrongKey: await tried(async () => jose.jwtVerify(jws, await jose.importSPKI(process.env['TEST_PUBLIC_KEY'], 'RS256'), checks)),
    malformed: await tried(() => jose.jwtVerify('a.b.c', secret)),
    none: await tried(() => jose.jwtVerify('eyJhbGciOiJub25lIn0.e30.', secret)),
    pem: await tried(() => jose.importPKCS8('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', 'RS256')).then(
      ({ name }) => name,
    ),
    decoded: [jose.decodeJwt(jws), jose.decodeProtectedHeader(jws)],
  };
}
answer(async () => ({ signed: await signed(), encrypted: await encrypted(), keys: await keys(), refused: await refused() }));
