// Compression as Elysia documents it under "Map Response": the value of a handler becomes a gzipped Response.
// Elysia has no plugin of its own for it; `server.ts` loads this for the scenario `compressed-58k` alone.
// Without gzip in Accept-Encoding it touches nothing.
import { Elysia } from 'elysia';

export const compression = new Elysia({ name: 'compression' })
  .mapResponse(({ responseValue, set, headers }) => {
    if (!headers['accept-encoding']?.includes('gzip')) return;
    const isJson = typeof responseValue === 'object';
    const text = isJson ? JSON.stringify(responseValue) : String(responseValue ?? '');
    set.headers['Content-Encoding'] = 'gzip';
    set.headers['Vary'] = 'Accept-Encoding';
    return new Response(Bun.gzipSync(Buffer.from(text)), {
      headers: { 'Content-Type': `${isJson ? 'application/json' : 'text/plain'}; charset=utf-8` },
    });
  })
  .as('global');
