/** Pages for people: the list, a form, signing in and out. */
import Router from '@koa/router';

const NAME_MAX = 40;

export function createPagesRouter(sightings) {
  const pages = new Router();

  pages.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  pages.get('/', async (ctx) => {
    ctx.session.visits = (ctx.session.visits ?? 0) + 1;
    const { query, session } = ctx;
    await ctx.render('home', {
      title: 'Logbook',
      sightings: sightings.list(query.species),
      species: query.species ?? '',
      user: session.user,
      visits: session.visits,
      runtime: ctx.runtime(),
    });
  });

  pages.post('/login', (ctx) => {
    const name = String(ctx.request.body?.name ?? '').trim();
    ctx.assert(name !== '' && name.length <= NAME_MAX, 400, 'A name has 1 to 40 characters');
    ctx.session.user = name;
    ctx.cookies.set('last-user', encodeURIComponent(name), { signed: true, sameSite: 'lax' });
    ctx.redirect('/');
  });

  pages.post('/logout', (ctx) => {
    ctx.session = null;
    ctx.back('/');
  });

  pages.post('/sightings', (ctx) => {
    ctx.assert(ctx.session.user, 401, 'Sign in first');
    sightings.add(ctx.request.body);
    ctx.status = 303;
    ctx.redirect('/');
  });
  return pages;
}
