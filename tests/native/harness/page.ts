/** The page `docs/reference/native.md` as text. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { countCases } from '../../parity/harness/suite.ts';
import { EXCEPT } from '../../parity/express4/except.ts';
import { PACKAGES } from '../packages/list.ts';
import { EXCEPTIONS } from '../parity/exceptions.ts';
import { NODE_MAJOR, root } from './host.ts';

export { NODE_MAJOR };
import { loadCases } from './module-tests.ts';
import { makeTables, type ModuleTable, moduleTable, summary } from './table.ts';

export const PAGE: string = join(root, 'docs', 'reference', 'native.md');

const INTRODUCTION = `# The native host: what Node's modules do there

\`fulmar build --native\` and \`fulmar run --native\` run an application without Node ([guide](../guide/native.md)). This page lists what its
modules offer, by member. It is made by \`tests/native/table.ts\` from the tests in \`tests/native\`, which run every program on Node and on
the native host and compare what both show; a test keeps page and tests equal.

- **works**: the programs of the tests give the same on both.
- **differs**: on purpose, or because of the engine; the reason says how. A test shows that it does.
- **missing**: not there, or it throws \`ERR_FEATURE_UNAVAILABLE_ON_PLATFORM\`.
- **not tested**: there, and no test of its own.

\`Hash#update\` is a member of what \`new Hash\` gives. Everything written in JavaScript differs in one way: text of errors that the
language itself throws (\`undefined is not a function\`) and stacks are QuickJS's, not V8's. Errors of Node's modules are the same.
`;

/**
 * By hand: what computes is in `crates/node-crypto/src`, and what is refused is shown by the cases of
 * `crypto`.
 */
const ALGORITHMS = `## Algorithms

| algorithms | provided by | refused, or not there |
| --- | --- | --- |
| MD5, RIPEMD-160, SHA-1, SHA-224, SHA-256, SHA-512/224 and /256, SHA-3, SHAKE | RustCrypto | BLAKE2; HMAC, PBKDF2, HKDF and OAEP over SHAKE, as in Node |
| SHA-384, SHA-512 | ring | |
| HMAC, HKDF | own, over the hashes above (RFC 2104, RFC 5869) | KMAC, CMAC |
| PBKDF2 | ring over SHA-1 and SHA-2, own over the others (RFC 8018) | |
| scrypt | RustCrypto | argon2 |
| AES in ECB, CBC and CTR, AES key wrap | RustCrypto | CCM, OCB, CFB, OFB, XTS, SIV; other vectors of key wrap; DES, 3DES, Camellia, RC4 |
| AES-GCM, ChaCha20-Poly1305 | RustCrypto's ciphers and hashes, put together here (SP 800-38D, RFC 8439) | plaintext whose tag was never given |
| RSA: keys, PKCS #1 v1.5, OAEP, PSS, the bare operation | RustCrypto; paddings of OAEP and PSS own (RFC 8017) | moduli above 16,384 bits, exponents that OpenSSL refuses, X9.31 |
| RSA signatures over SHA-2 with 2,048 to 4,096 bits (PSS: salt as long as the digest) | ring | |
| ECDSA and ECDH with P-256, P-384, P-521 | RustCrypto; ECDSA of P-256 with SHA-256 ring | secp256k1, Brainpool and all other curves |
| Ed25519, X25519 | dalek | Ed448, X448, DSA, DH, ML-KEM, ML-DSA, SLH-DSA |
| keys in PEM, DER and JWK; PBES2 with AES-CBC, PEM's own encryption | own (RFC 5208, RFC 5915, RFC 7517, RFC 8018) | PKCS #12, PBES1, SPKAC, \`X509Certificate\` |
| TLS 1.2 and 1.3: AES-GCM and ChaCha20-Poly1305 with ECDHE (X25519, P-256, P-384) | rustls with ring | TLS 1.1 and older, CBC, static RSA, DHE, PSK, renegotiation |
| random bytes | the operating system | |
`;

export async function makePage(): Promise<string> {
  const tables = await makeTables(await loadCases());
  const parts = [
    INTRODUCTION,
    ALGORITHMS,
    '## Modules',
    '',
    summary(tables),
    '',
    ...tables.filter(hasRows).flatMap((table) => [moduleTable(table), '']),
  ];
  return `${[...parts, packagesSection(), await paritySection()].join('\n').trimEnd()}\n`;
}

const hasRows = (table: ModuleTable): boolean => table.rows.length > 0;

/** The packages that applications of `tests/native/packages` use, built as executables. */
function packagesSection(): string {
  const head = [
    '## Packages',
    '',
    'An application of each, built by `fulmar build --native`, gives the same replies as on Node with Express.',
    '',
  ];
  const rows = PACKAGES.map(
    ({ name, uses, differs }) => `| \`${name}\` | ${uses} | ${differs === undefined ? 'works' : `differs: ${differs}`} |`,
  );
  return [...head, '| package | tried | state |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

const SUITES = ['http', 'express', 'express4', 'koa'] as const;

/** How many cases there are, and which of them differ. */
async function paritySection(): Promise<string> {
  const lines: string[] = [];
  const names = new Map<string, readonly string[]>();
  for (const suite of SUITES) {
    names.set(suite, await namesOf(suite));
    lines.push(`| \`${suite}\` | ${names.get(suite)?.length ?? 0} | ${differing(suite)} |`);
  }
  const shared = (names.get('express') ?? []).filter(
    (name) => !EXCEPT.some((one) => (typeof one.name === 'string' ? one.name === name : one.name.test(name))),
  );
  lines.push(`| \`express4\`, the cases of \`express\` | ${shared.length} | ${differing('express4 shared')} |`);
  const reasons = EXCEPTIONS.flatMap(({ reason, cases }) => [
    `- ${reason}:`,
    ...Object.entries(cases).flatMap(([suite, names]) => names.map((name) => `  - \`${suite}\`: ${String(name).replaceAll('|', '\\|')}`)),
  ]);
  const head = [
    '## Parity suites',
    '',
    'The programs of `tests/parity` with upstream on Node and ours on the native host, everything they show compared.',
    '',
    '| suite | cases | differ |',
    '| --- | --: | --: |',
    ...lines,
  ];
  return [...head, '', ...(reasons.length > 0 ? ['What differs:', '', ...reasons] : [])].join('\n');
}

function differing(suite: string): number {
  return EXCEPTIONS.flatMap(({ cases }) => Object.entries(cases))
    .filter(([name]) => name === suite)
    .reduce((sum, [, names]) => sum + names.length, 0);
}

async function namesOf(suite: string): Promise<readonly string[]> {
  const folder = fileURLToPath(new URL(`../../parity/${suite}/`, import.meta.url));
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('.test.ts') && !['count.test.ts', 'shared.test.ts', 'deprecations.test.ts'].includes(name),
  );
  return countCases(async () => {
    for (const file of files) await import(pathToFileURL(join(folder, file)).href);
  });
}
