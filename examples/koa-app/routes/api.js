/** /api: sightings as JSON, and as a stream of lines. */
import { Readable } from 'node:stream';
import Router from '@koa/router';

export function createApiRouter(sightings) {
  const api = new Router({ prefix: '/api' });

  api.param('id', (id, ctx, next) => {
    ctx.sighting = sightings.find(id);
    ctx.assert(ctx.sighting, 404, `There is no sighting ${id}`);
    return next();
  });

  api.get('/sightings', (ctx) => {
    ctx.body = { sightings: sightings.list(ctx.query.species) };
  });

  api.get('/sightings/:id', (ctx) => {
    ctx.body = ctx.sighting;
  });

  api.post('/sightings', (ctx) => {
    const sighting = sightings.add(ctx.request.body);
    ctx.status = 201;
    ctx.set('Location', `/api/sightings/${sighting.id}`);
    ctx.body = sighting;
  });

  api.delete('/sightings/:id', (ctx) => {
    sightings.remove(ctx.params.id);
    ctx.body = null;
  });

  api.get('/export', (ctx) => {
    ctx.attachment('sightings.ndjson');
    ctx.type = 'application/x-ndjson';
    ctx.body = Readable.from(lines(sightings.list()));
  });

  // For those who want to see an error: one that is told, one that is not.
  api.get('/fail', (ctx) => {
    if (ctx.query.expose) ctx.throw(418, 'This pot makes tea', { headers: { 'X-Pot': 'tea' } });
    throw new Error('the details of this stay inside');
  });
  return api;
}

async function* lines(all) {
  for (const one of all) yield `${JSON.stringify(one)}\n`;
}
