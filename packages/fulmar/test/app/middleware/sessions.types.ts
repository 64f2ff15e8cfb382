/** What the type checker knows of sessions and claims: never run, checked with the sources. */
import { z } from 'zod';
import type { App } from '../../../src/app/index.ts';
import { csrf, jwt, type JwtClaims, session, signedCookies } from '../../../src/app/middleware/index.ts';

/** `true` only for types that are the same, optional and readonly members as well. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Does not compile unless the two are the same. */
declare function same<One, Other>(is: Same<One, Other>): void;
declare const app: App;

interface Visit {
  user: { name: string };
  views: number;
}

const sessions = session<Visit>({ secret: 'x' });
const untyped = session({ secret: 'x' });
const tokens = jwt({ secret: 'x', algorithms: ['HS256'] });
const admins = jwt<{ role: 'admin' }>({ secret: 'x', algorithms: ['HS256'], schema: z.object({ role: z.literal('admin') }) });
const made = jwt({ secret: 'x', algorithms: ['HS256'], schema: z.object({ age: z.coerce.number() }) });
const signed = signedCookies({ secret: 'x' });

app.use(sessions, untyped, csrf());

// In the handler of any route, schemas or none.
app.post('/:id', { body: z.object({ name: z.string() }), query: z.object({ n: z.coerce.number() }) }, tokens, async (c) => {
  const visit = await sessions.of(c);
  same<typeof visit.data, Partial<Visit>>(true);
  same<typeof visit.id, string>(true);
  visit.data.views = c.query.n;
  visit.data = { user: { name: c.body.name } };
  // @ts-expect-error: it is a number
  visit.data.views = 'many';
  // @ts-expect-error: there is no such member
  visit.data.other = 1;
  same<Awaited<ReturnType<typeof untyped.of>>['data'], Partial<Record<string, unknown>>>(true);
  const claims = tokens.of(c);
  same<typeof claims, JwtClaims>(true);
  const value = await signed.get(c, 'a');
  same<typeof value, string | undefined>(true);
  await signed.set(c, 'a', value ?? null, { maxAge: 1 });
});
app.get('/', admins, (c) => {
  const claims = admins.of(c);
  same<typeof claims.role, 'admin'>(true);
  same<typeof claims.sub, string | undefined>(true);
  const { age } = made.of(c);
  same<typeof age, number>(true);
});

declare const key: CryptoKey;
jwt({ key, algorithms: ['RS256'] });
jwt({ key: { kty: 'RSA', n: 'x', e: 'AQAB' }, algorithms: ['RS256'] });

// @ts-expect-error: an algorithm must be named
jwt({ secret: 'x' });
// @ts-expect-error: none is no algorithm
jwt({ secret: 'x', algorithms: ['none'] });
// @ts-expect-error: there is no such option
session({ secret: 'x', resave: false });
