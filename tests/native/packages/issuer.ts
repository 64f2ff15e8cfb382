/**
 * An OpenID provider as small as a client needs it: discovery, codes with PKCE, tokens, user info,
 * introspection; and faults on request.
 */
import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { RSA_PRIVATE } from '../modules/crypto-keys.ts';

const KEY = createPrivateKey(RSA_PRIVATE);
const LIFE_S = 600;
const METADATA_ENDPOINTS = ['authorization', 'token', 'userinfo', 'introspection', 'revocation'];

interface Asked {
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly fault: string | null;
}

const coded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function idToken(issuer: string, { nonce, fault }: Asked): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: fault === 'issuer' ? `${issuer}/other` : issuer,
    sub: 'someone',
    aud: fault === 'audience' ? 'another' : 'client',
    nonce: fault === 'nonce' ? 'another' : nonce,
    iat: fault === 'expired' ? 1_000 : now,
    exp: fault === 'expired' ? 1_000 + LIFE_S : now + LIFE_S,
    email: 'someone@app.test',
  };
  const text = `${coded({ alg: fault === 'algorithm' ? 'HS256' : 'RS256', kid: 'one' })}.${coded(claims)}`;
  const signature = fault === 'signature' ? createHmac('sha256', 'x').update(text).digest() : sign('sha256', Buffer.from(text), KEY);
  return `${text}.${signature.toString('base64url')}`;
}

export function createIssuer(): Server {
  const codes = new Map<string, Asked>();
  return createServer(async (req, res) => {
    const issuer = `http://${req.headers.host}`;
    const url = new URL(req.url ?? '/', issuer);
    const json = (value: unknown, status = 200): void =>
      void res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    const form = new URLSearchParams(await content(req));
    if (url.pathname === '/.well-known/openid-configuration') return json(metadata(issuer));
    if (url.pathname === '/jwks')
      return json({ keys: [{ ...createPublicKey(KEY as never).export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] });
    if (url.pathname === '/authorization') return authorize(url, res, codes);
    if (url.pathname === '/token') return token({ issuer, form, req, res, json, codes });
    if (url.pathname === '/userinfo') return json({ sub: 'someone', token: req.headers.authorization?.startsWith('Bearer ') });
    if (url.pathname === '/introspection') return json({ active: form.get('token') === 'known', username: 'someone' });
    if (url.pathname === '/revocation') return void res.writeHead(200).end();
    json({ error: 'not_found' }, 404);
  });
}

async function content(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of req) text += String(part);
  return text;
}

function metadata(issuer: string): object {
  const endpoints = METADATA_ENDPOINTS.map((name) => [`${name}_endpoint`, `${issuer}/${name}`]);
  return {
    issuer,
    jwks_uri: `${issuer}/jwks`,
    ...Object.fromEntries(endpoints),
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  };
}

function authorize(url: URL, res: ServerResponse, codes: Map<string, Asked>): void {
  const asked = url.searchParams;
  const code = `code-${codes.size}`;
  codes.set(code, { nonce: asked.get('nonce'), challenge: asked.get('code_challenge'), fault: asked.get('fault') });
  const back = new URL(asked.get('redirect_uri') ?? '');
  if (asked.get('fault') === 'error') back.searchParams.set('error', 'access_denied');
  else back.searchParams.set('code', code);
  back.searchParams.set('state', asked.get('state') ?? '');
  res.writeHead(302, { Location: back.href }).end();
}

interface TokenCall {
  readonly issuer: string;
  readonly form: URLSearchParams;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly codes: ReadonlyMap<string, Asked>;
  json(value: unknown, status?: number): void;
}

function token({ issuer, form, req, res, codes, json }: TokenCall): void {
  const kind = form.get('grant_type');
  if (kind === 'refresh_token') return json({ access_token: 'refreshed', token_type: 'bearer', expires_in: LIFE_S });
  if (kind === 'client_credentials') {
    const how = [req.headers.authorization?.split(' ')[0], form.get('client_secret'), form.get('client_assertion')?.split('.').length];
    return json({ access_token: `by ${how.join()}`, token_type: 'bearer', scope: form.get('scope') });
  }
  const asked = codes.get(form.get('code') ?? '');
  const proof = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (asked === undefined || proof !== asked.challenge) return json({ error: 'invalid_grant', error_description: 'no such code' }, 400);
  if (asked.fault === 'html') return void res.writeHead(502, { 'Content-Type': 'text/html' }).end('<p>no');
  json({ access_token: 'access', refresh_token: 'refresh', token_type: 'Bearer', expires_in: LIFE_S, id_token: idToken(issuer, asked) });
}
