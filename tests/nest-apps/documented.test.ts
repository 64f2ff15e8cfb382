/** @nestjs/swagger: documents, and classes made of others. */
import { playNestApp } from './support/play.ts';

const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

playNestApp({
  name: 'documented',
  native: true,
  async play({ ask, note, url }) {
    await ask('/notes', json('POST', { title: 'Milk', other: 1 }));
    await ask('/notes', json('POST', { text: 'none' }));
    await ask('/notes/1', json('PATCH', { text: 'two' }));
    await ask('/notes/1', json('PATCH', { title: 'a title that is much too long' }));
    await ask('/notes/7', json('PATCH', {}));
    await ask('/notes');
    // The same document; its members stand in another order.
    note(await (await fetch(`${url}/docs-json`)).json());
  },
});
