/** The page of the station: rendered by the typed app, in a session that the Express app has begun. */
import type { App } from 'fulmar';
import { serveSessions } from '../lib/sessions.ts';
import type { Bird } from './birds.ts';

export function addPages(app: App & { readonly birds: { all(): readonly Bird[] } }): void {
  app.get('/', { hidden: true }, async (c) => {
    const { data } = await serveSessions.of(c);
    // Only in a session that is there: a first visit sets no cookie.
    if (data.user !== undefined) data.pages = (data.pages ?? 0) + 1;
    return c.render('station', { user: data.user, pages: data.pages ?? 0, birds: app.birds.all() });
  });
  // Browsers ask for it beside whatever names none, JSON and errors too.
  app.get('/favicon.ico', { hidden: true }, (c) => c.redirect('/assets/bird.svg'));
  app.get('/api/me', { summary: 'Who is signed in', tags: ['account'] }, async (c) => {
    const { data } = await serveSessions.of(c);
    return { user: data.user ?? null, pages: data.pages ?? 0 };
  });
}
