/** Signing in: a form, and what it sends. */
import { HttpError } from 'fulmar';
import type { RouteContext } from 'fulmar/routes';
import { html, page } from '../../lib/layout.ts';
import { check, sessions, signedIn } from '../../lib/users.ts';

const form = (word: string) => html`
  <h1>Sign in</h1>
  <p role="alert">${word}</p>
  <form method="post">
    <label>Name <input name="name" /></label>
    <label>Password <input name="password" type="password" /></label>
    <button>Sign in</button>
  </form>
`;

export async function GET(c: RouteContext<'/account'>) {
  const user = await signedIn(c);
  return c.html(page('Account', user?.name, user === undefined ? form('') : html`<h1>${user.name}</h1>`));
}

export async function POST(c: RouteContext<'/account'>) {
  const fields = await c.body.form();
  const [name, password] = [fields.get('name'), fields.get('password')];
  if (typeof name !== 'string' || typeof password !== 'string') throw new HttpError(400, 'A name and a password are asked for.');
  const user = check(name, password);
  if (user === undefined) return c.status(401).html(page('Account', undefined, form('Name or password is wrong.')));
  const visit = await sessions.of(c);
  await visit.regenerate();
  visit.data.user = user.name;
  return c.redirect('/', 303);
}
