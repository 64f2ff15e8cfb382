/** Scopes, dynamic modules, circles, lazy modules, hooks. */
import assert from 'node:assert/strict';
import { playNestApp } from './support/play.ts';

const of = (tenant: string): RequestInit => ({ headers: { 'x-tenant': tenant } });

playNestApp({
  name: 'tenants',
  native: true,
  async play({ ask, note, url }) {
    for (const path of ['/walk/one', '/same?x=1', '/static', '/static/resolved', '/static/lazy', '/static/lazy'])
      await ask(path, of('acme'));
    // Each sees its own request, however they overlap.
    note(await Promise.all(Array.from({ length: 20 }, (_, at) => walk(url, at))));
  },
});

async function walk(url: string, at: number): Promise<string> {
  const text = await (await fetch(`${url}/walk/w?ms=${(at * 7) % 20}`, of(`tenant ${at}`))).text();
  const { tenant, steps } = JSON.parse(text) as { tenant: string; steps: string[] };
  assert.equal(tenant, `tenant ${at}`);
  assert.deepEqual(steps, ['w begins', 'w ends']);
  return text;
}
