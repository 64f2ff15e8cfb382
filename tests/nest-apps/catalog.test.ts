/** Versions, server-sent events, what of an entity is shown, mapped types. */
import { playNestApp } from './support/play.ts';

const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

playNestApp({
  name: 'catalog',
  native: true,
  async play({ ask }) {
    for (const path of ['/v1/products', '/v2/products', '/v3/products', '/v1/products/one', '/v2/products/one', '/v3/products/one'])
      await ask(path);
    for (const path of ['/status', '/v1/status', '/v1/events/ticks', '/v1/events/lines', '/v1/events/broken', '/products']) await ask(path);
    await ask('/v1/products', json('POST', { name: 'ink', price: '300', more: 1 }));
    await ask('/v1/products', json('POST', { name: 'i', price: -1 }));
    await ask('/v1/products/4', json('PATCH', {}));
    await ask('/v2/products/4', json('PATCH', { price: 5 }));
    await ask('/v1/products/4', json('PATCH', { price: 'free' }));
    await ask('/v1/products/search?name=ink&page=2');
    await ask('/v1/products/search?name=ink');
  },
});
