/** The first page, of template strings. */
import type { RouteContext } from 'fulmar/routes';
import { list, totals } from '../../lib/logbook.ts';
import { html, page } from '../../lib/layout.ts';
import { signedIn } from '../../lib/users.ts';

export async function GET(c: RouteContext<'/'>) {
  const user = await signedIn(c);
  const rows = list().map(({ id, species, count, by }) => html`<li><a href="/sightings/${id}">${count} × ${species}</a> by ${by}</li>`);
  const content = html`
    <h1>Seen lately</h1>
    <ol>
      ${rows}
    </ol>
    <p>${totals().length} species</p>
    ${user === undefined ? html`<a href="/account">Sign in</a>` : html`<form method="post" action="/account/leave"><button>Sign out</button></form>`}
  `;
  return c.html(page('Home', user?.name, content));
}
