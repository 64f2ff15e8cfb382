/** For whatever has no route: a page for browsers, JSON for programs. */
import type { AnyContext } from 'fulmar';
import { html, page } from '../lib/layout.ts';

export default (c: AnyContext) =>
  c.accepts('html', 'json') === 'html'
    ? c.html(page('Not found', undefined, html`<h1>Nothing is at ${c.pathname}</h1>`))
    : c.json({ error: { status: 404, message: `Nothing is at ${c.pathname}.` } });
