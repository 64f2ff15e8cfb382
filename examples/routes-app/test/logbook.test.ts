/** The application without a port. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createProject } from 'fulmar/routes';

const { app } = await createProject({ root: new URL('..', import.meta.url) });
after(() => app.close());

test('the list is there for everybody', async () => {
  const { status, json } = await app.inject('/api/sightings?species=fulmar');
  assert.equal(status, 200);
  assert.deepEqual(
    (json() as { count: number }[]).map(({ count }) => count),
    [12],
  );
});

test('adding to it is for those who have signed in', async () => {
  const { status } = await app.inject({ method: 'POST', url: '/api/sightings', body: { species: 'Gannet', count: 1 } });
  assert.equal(status, 401);
});
