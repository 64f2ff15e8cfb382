import * as client from 'openid-client';
import { serve } from './serve.js';
const issuer = new URL(process.env['TEST_ISSUER'] ?? 'http://127.0.0.1');
const redirect = 'http://app.test/callback';
const insecure = { execute: [client.allowInsecureRequests] };
async function tried(work) {
  try {
    return await work();
  } catch ({ name, code, message, cause, error, status }) {
    return { name, code, message, error, status, cause: cause?.message };
  }
}
const configured = (id = 'client', authentication) => client.discovery(issuer, id, 'secret', authentication, insecure);
/** What the issuer's page answers: where the browser is sent. */
async function visited(url) {
  const reply = await fetch(url, { redirect: 'manual' });
  return new URL(reply.headers.get('location'));
}
async function coded(config, more = {}, checks = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const parameters = {
    redirect_uri: redirect,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...more,
  };
  const url = client.buildAuthorizationUrl(config, parameters);
  const back = await visited(url);
  const tokens = await client.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
    ...checks,
  });
  return { asked: [...url.searchParams.keys()], tokens };
}
serve((app) => {
  app.get('/metadata', async (_req, res) => {
    const config = await configured();
    const { token_endpoint, ...rest } = config.serverMetadata();
    res.json([
      Object.keys(rest),
      token_endpoint.endsWith('/token'),
      config.serverMetadata().supportsPKCE(),
      config.clientMetadata().client_id,
    ]);
  });
  app.get('/code', async (_req, res) => {
    const config = await configured();
    const { asked, tokens } = await coded(config);
    const { iat, exp, nonce, iss: _, ...claims } = tokens.claims();
    const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token);
    res.json({
      asked,
      claims,
      info,
      type: tokens.token_type,
      expires: tokens.expiresIn() > 0,
      life: exp - iat,
      nonce: nonce.length,
      refreshed: refreshed.access_token,
    });
  });
  app.get('/authentication', async (_req, res) => {
    const all = {
      basic: client.ClientSecretBasic('secret'),
      post: client.ClientSecretPost('secret'),
      jwt: client.ClientSecretJwt('secret'),
    };
    const out = {};
    for (const [name, authentication] of Object.entries(all)) {
      const tokens = await tried(async () => client.clientCredentialsGrant(await configured('machine', authentication), { scope: name }));
      out[name] = [tokens.access_token, tokens.scope, tokens.message];
    }
    res.json(out);
  });
  app.get('/introspection', async (_req, res) => {
    const config = await configured();
    res.json([
      await client.tokenIntrospection(config, 'known'),
      await client.tokenIntrospection(config, 'unknown'),
      await tried(() => client.tokenRevocation(config, 'known')),
    ]);
  });
  app.get('/refused', async (_req, res) => {
    const config = await configured();
    // Signatures of tokens that come from the issuer itself are looked at only when asked for.
    client.enableNonRepudiationChecks(config);
    const out = { none: await tried(() => coded(config).then(() => 'taken')) };
    for (const fault of ['signature', 'nonce', 'audience', 'expired', 'issuer', 'algorithm', 'error', 'html'])
      out[fault] = await tried(() => coded(config, { fault }).then(() => 'taken'));
    out.state = await tried(() => coded(config, {}, { expectedState: 'other' }));
    out.subject = await tried(async () => client.fetchUserInfo(config, 'token', 'somebody else'));
    out.insecure = await tried(() => client.discovery(issuer, 'client', 'secret'));
    out.absent = await tried(() => client.discovery(new URL('/absent', issuer), 'client', 'secret', undefined, insecure));
    const text = JSON.stringify(out).replaceAll(issuer.host, 'issuer');
    res.json(JSON.parse(text));
  });
});
