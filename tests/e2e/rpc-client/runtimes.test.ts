/** `fulmar/client` and its parts in Deno and Bun, and with a `fetch` as React Native's is: no streams, and no more than it needs. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createClient } from 'fulmar/client';
import { runtime } from '../platforms/runtimes.ts';
import { writeProject } from '../cli/support.ts';
import { Station } from './api.ts';

const run = promisify(execFile);
const PATIENCE_MS = 60_000;
const part = (name: string): string => import.meta.resolve(`fulmar/client${name}`);

const program = (url: string): string => `
import { createClient } from '${part('')}';
import { parts } from '${part('/parts')}';
import { swr } from '${part('/swr')}';
import { tanstack } from '${part('/tanstack')}';
import { typeErrors } from '${part('/type-errors')}';
const url = '${url}';
const client = createClient(url, { check: typeErrors(url + '/~types').check });
const found = [];
const [bird] = await client.query.birds.get(1);
found.push(bird.seen instanceof Date, (await client.query.birds.get(99))[1].type);
for await (const one of await client.orThrow.query.count(3)) found.push(one);
for await (const one of await client.orThrow.query.count(1e9)) if (one === 1) break;
found.push((await client.pipe((api) => api.birds.get(2), (one, api) => api.birds.rename(one.id, one.name)))[0]);
found.push((await client.with({ timeout: 50 }).query.wait())[1].type);
found.push((await client.with({ signal: AbortSignal.abort() }).query.wait())[1].type);
found.push((await client.query.birds.get('x'))[1].status);
found.push(tanstack(client).query.birds.get(1).queryKey[1], swr(client).query.birds.get(1)[0][0]);
async function* numbers() {
  yield* [1, 2, 6];
}
for await (const sum of await client.with({ parts: parts() }).orThrow.mutate.sums(numbers())) found.push(sum);
console.log(JSON.stringify(found));
`;
const expected = [true, 'no-bird', 0, 1, 2, 'gull', 'timeout', 'aborted', 0, 'get', 'birds.get', 1, 3, 9];

describe('fulmar/client', () => {
  const station = new Station();
  let url = '';
  before(async () => void (url = await station.listen()));
  after(() => station.stop());

  for (const [name, args] of [
    ['deno', ['run', '--no-prompt', '--allow-net', '--allow-read']],
    ['bun', ['run']],
  ] as const) {
    const { file, missing } = runtime(name);
    it(`calls an API from ${name}`, { skip: missing }, async () => {
      const folder = writeProject({ 'main.mjs': program(url) });
      const { stdout } = await run(file, [...args, 'main.mjs'], { cwd: folder, timeout: PATIENCE_MS });
      assert.deepEqual(JSON.parse(stdout), expected);
    });
  }

  /** What `fetch` of React Native gives: text when all of it is there, and no `body`. */
  const withoutStreams = async (at: string, init: RequestInit): Promise<Response> => {
    const reply = await fetch(at, init);
    const { status, ok, headers } = reply;
    return { status, ok, headers, text: () => reply.text() } as Response;
  };

  it('does all but streams where fetch has none', async () => {
    const client = createClient<Station['api']>(url, { fetch: withoutStreams });
    assert.equal((await client.orThrow.query.birds.get(1)).name, 'tern');
    assert.equal((await client.query.birds.get(99))[1]?.type, 'no-bird');
    const [first] = await client.batch((api) => [api.birds.get(1)]);
    assert.equal(first[0]?.id, 1);
    assert.equal(
      await client.orThrow.pipe(
        (api) => api.birds.get(1),
        (one, api) => api.birds.rename(one.id, one.name),
      ),
      'tern',
    );
    const [items, error] = await client.query.count(3);
    assert.equal(items, undefined);
    assert.deepEqual([error?.type, error?.message], ['protocol', 'This fetch gives no streams: createClient() takes another.']);
  });

  it('asks again where a reply without a body says 503', async () => {
    const statuses: number[] = [];
    const client = createClient<Station['api']>(url, {
      retryDelay: 1,
      fetch: async (at, init) => {
        const reply = await withoutStreams(at, init);
        const status = statuses.length === 0 ? 503 : reply.status;
        statuses.push(status);
        return { ...reply, status } as Response;
      },
    });
    assert.equal((await client.orThrow.query.birds.get(1)).id, 1);
    assert.deepEqual(statuses, [503, 200]);
  });
});
