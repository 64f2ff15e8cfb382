/** The packages that are tried on the QuickJS host, and the requests that show what they do there. */
import type { RequestInput } from '../../parity/harness/case.ts';

export interface PackageCase {
  /** The name on npm. */
  readonly name: string;
  /** The application in `apps`; of the same name otherwise. */
  readonly app?: string;
  /** Runs only where there is a PostgreSQL. */
  readonly needs?: 'postgresql';
  readonly requests: readonly RequestInput[];
  /** Older versions of Node offer less (encodings, algorithms): compared with this one and later. */
  readonly since?: number;
  /** What the application uses, in a few words, for the page. */
  readonly uses: string;
  /** Content is compared as it is before it is compressed. */
  readonly isCompressed?: true;
  /** Why it does not work as on Node. */
  readonly differs?: string;
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}): RequestInput => ({ path, headers });
const post = (path: string, type: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): RequestInput => ({
  method: 'POST',
  path,
  body,
  headers: { 'Content-Type': type, ...headers },
});
const json = (path: string, value: unknown): RequestInput => post(path, 'application/json', JSON.stringify(value));

const BOUNDARY = '----boundary';
const part = (head: string, content: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const form = (path: string, ...parts: readonly string[]): RequestInput =>
  post(path, `multipart/form-data; boundary=${BOUNDARY}`, Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`));
const file = (name: string, filename: string, content: string): string =>
  part(`name="${name}"; filename="${filename}"\r\nContent-Type: text/plain`, content);

const origin = (value: string): Readonly<Record<string, string>> => ({ Origin: value });
const preflight = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'X-One, X-Two' };

export const PACKAGES: readonly PackageCase[] = [
  {
    name: 'cors',
    uses: 'lists of origins, credentials, preflights',
    requests: [
      get('/open'),
      get('/a', origin('http://a.example')),
      get('/a', origin('http://x.b.example')),
      get('/a', origin('http://c.example')),
      { method: 'OPTIONS', path: '/a', headers: { ...origin('http://a.example'), ...preflight } },
      { method: 'OPTIONS', path: '/open', headers: { ...origin('http://any.example'), ...preflight } },
    ],
  },
  { name: 'helmet', uses: 'all fields, own policies', requests: ['GET /plain', 'GET /own'] },
  {
    name: 'cookie-parser',
    uses: 'plain, signed and JSON cookies',
    requests: [
      'GET /set',
      'GET /',
      get('/', { Cookie: 'plain=a%20b; json=j%3A%7B%22a%22%3A1%7D; signed=s%3Avalue.wrong; bad=%zz' }),
      get('/', { Cookie: 'signed=s%3Avalue.JSMIXyZDXQZbBVRbEPiP2KOyjTy%2FBTSwfCwTX8gkTgo' }),
    ],
  },
  {
    name: 'morgan',
    uses: 'all formats, tokens, skip, stream',
    requests: ['GET /a', get('/b?c', { 'User-Agent': 'me', Referer: '/there', 'X-Name': 'n' }), 'GET /skipped', 'GET /lines'],
  },
  {
    name: 'express-session',
    uses: 'memory store, signed cookies, regenerate, destroy',
    requests: [
      'GET /count',
      get('/count', { Cookie: 'connect.sid=s%3Asession-1.3yX4JQ4uh3KrfkSvNwOvBEYW3E3HqUH8O0CUOhA%2BTzw' }),
      get('/count', { Cookie: 'connect.sid=s%3Asession-1.forged' }),
      'GET /new',
      'GET /end',
    ],
  },
  {
    name: 'multer',
    uses: 'memory and disk, limits, errors',
    requests: [
      form(
        '/memory',
        part('name="a"', 'ü'),
        part('name="b[c]"', '1'),
        file('file', 'one.txt', 'first'),
        file('file', 'zw"ei.txt', 'second'),
      ),
      form('/memory', file('file', 'large.txt', 'x'.repeat(2000))),
      form('/memory', file('other', 'x.txt', 'x')),
      form('/disk', file('file', 'disk.txt', 'y'.repeat(100_000))),
      post('/disk', `multipart/form-data; boundary=${BOUNDARY}`, `--${BOUNDARY}\r\nbroken`),
    ],
  },
  {
    name: 'busboy',
    uses: 'fields, files, limits, broken forms',
    requests: [
      form('/', part('name="a"', 'b'.repeat(30)), file('f', 'n.txt', 'z'.repeat(60)), part('name="c"', '')),
      post('/', 'application/x-www-form-urlencoded', 'a=b+c&d=%C3%BC&e'),
      post('/', `multipart/form-data; boundary=${BOUNDARY}`, '--no'),
    ],
  },
  { name: 'ejs', uses: 'views, includes, errors', requests: ['GET /view', 'GET /text', 'GET /missing'] },
  { name: 'pug', uses: 'views, includes, strings', requests: ['GET /view', 'GET /text'] },
  { name: 'jsonwebtoken', uses: 'HMAC and RSA, expiry, errors', requests: ['GET /'] },
  { name: 'zod', uses: 'objects, unions, transforms, issues, JSON schema', requests: ['GET /'] },
  { name: 'ajv', uses: 'compiled schemas, coercion, errors', requests: ['GET /'] },
  { name: 'qs', uses: 'parse, stringify, limits', requests: ['GET /'] },
  {
    name: 'pg',
    uses: 'pool, SCRAM log-in, simple and prepared queries, errors',
    requests: ['GET /simple', 'GET /prepared?id=7', 'GET /prepared?id=8', 'GET /error', 'GET /both', 'GET /simple'],
  },
  { name: 'ioredis', uses: 'commands, buffers, pipelines, errors', requests: ['GET /set', 'GET /pipeline', 'GET /error', 'GET /hash'] },
  { name: 'ws', uses: 'server: echo, broadcast, close codes, compression', requests: [] },
  { name: 'pino', uses: 'levels, children, redaction, errors', requests: ['GET /'] },
  { name: 'uuid', uses: 'all versions', requests: ['GET /'] },
  { name: 'date-fns', uses: 'format, parse, intervals, locales', requests: ['GET /'] },
  { name: 'lodash', uses: 'a sample of all kinds of functions', requests: ['GET /'] },
  {
    name: 'graphql',
    uses: 'schema, validation, execution, subscription',
    requests: [
      get(`/query?q=${encodeURIComponent('query q($n: Int!) { books(first: $n) { title pages author(short: true) } late fail }')}`),
      get(`/query?q=${encodeURIComponent('{ nothing }')}`),
      get(`/query?q=${encodeURIComponent('{ books(first: 2) { title pages author } ')}`),
      'GET /schema',
      'GET /subscribe',
    ],
  },
  {
    name: 'body-parser',
    uses: 'JSON, forms, text, bytes, limits, compressed content',
    requests: [
      json('/', { a: [1, 'ü'] }),
      json('/', { long: 'x'.repeat(200) }),
      post('/', 'application/json', '{"a":'),
      post('/', 'application/x-www-form-urlencoded', 'a[b]=1&a[c][]=2&d=%26'),
      post('/', 'text/plain; charset=iso-8859-1', Buffer.from([0xe4])),
      post('/', 'application/octet-stream', Buffer.from([1, 2, 3])),
      post('/', 'application/json', Buffer.from('H4sIAAAAAAAAA6tWSlSyMqwFAPiSzWcHAAAA', 'base64'), { 'Content-Encoding': 'gzip' }),
      post('/', 'application/json', '{}', { 'Content-Encoding': 'unknown' }),
    ],
  },
  {
    name: 'compression',
    uses: 'gzip, deflate, brotli, flush',
    isCompressed: true,
    requests: ['br', 'gzip', 'deflate', 'identity', 'gzip;q=0, *'].flatMap((encoding) =>
      ['/long', '/short', '/image', '/stream'].map((path) => get(path, { 'Accept-Encoding': encoding })),
    ),
  },
  {
    name: 'express-validator',
    uses: 'chains, sanitizers, wildcards, errors',
    requests: [
      json('/?page=2', { email: 'A.B+c@Gmail.com', name: ' <me> ', tags: ['a'] }),
      json('/?page=x', { email: 'no', name: ' a ', tags: ['a', 'c', 'b'] }),
    ],
  },
  { name: 'jose', uses: 'JWS and JWE of all algorithms, JWK sets, thumbprints, errors', since: 26, requests: ['GET /'] },
  { name: 'node-forge', uses: 'digests, ciphers, RSA, certificates, PKCS #7 and #12, new keys', requests: ['GET /'] },
  {
    name: 'openid-client',
    uses: 'discovery, code flow with PKCE, client authentication, introspection, refused tokens',
    requests: ['GET /metadata', 'GET /code', 'GET /authentication', 'GET /introspection', 'GET /refused'],
  },
  {
    name: 'got',
    uses: 'JSON, forms, redirects, retries, timeouts, streams, hooks, pages, TLS, errors',
    since: 26,
    requests:
      'json post form bytes redirect endless status ignored retry timeout compressed cut parse nobody stream upload hooks paginate cancel tls untrusted anybody misnamed'
        .split(' ')
        .map((path) => get(`/${path}`)),
  },
  {
    name: 'undici',
    uses: 'the global fetch beside it, mocks, classes; not its client, which needs WebAssembly',
    requests: ['/global', '/mocked', '/body', '/unmocked', '/classes'].map((path) => get(path)),
  },
  {
    name: 'pg',
    app: 'pg-tls',
    needs: 'postgresql',
    uses: 'PostgreSQL over TLS: trust, names, versions, channel binding, large values, errors',
    requests: ['trusted', 'anybody', 'plain', 'stranger', 'untrusted', 'misnamed', 'old', 'bound', 'password', 'pool'].map((path) =>
      get(`/${path}`),
    ),
  },
];
