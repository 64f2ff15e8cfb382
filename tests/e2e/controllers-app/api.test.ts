/**
 * The example of controllers in each form in which it runs, in memory and on PostgreSQL: what its visitors do, what they do
 * wrong, its log, and its end while somebody uploads and somebody listens.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accountCases } from './accounts.cases.ts';
import { aroundCases } from './around.cases.ts';
import { fileCases } from './files.cases.ts';
import { type Archive, type Databases, type Form, forms, noPostgres, open, openDatabases } from './forms.ts';
import { asAdmin, PASSWORD, Visitor } from './visitor.ts';

const cases = [...accountCases, ...fileCases, ...aroundCases];

function declare(form: Form, storage: string, addressOf: () => Promise<string>): void {
  describe(`controllers-app as ${form.name}, ${storage}`, { timeout: 300_000, skip: storage === 'memory' ? false : noPostgres }, () => {
    let archive: Archive;
    before(async () => void (archive = await open(form, await addressOf())));
    after(() => archive?.end());

    for (const { name, play } of cases) test(name, { timeout: 60_000 }, () => play(archive));

    test('says where it keeps things', async () => {
      assert.equal((await new Visitor(archive).ask('/health/ready')).body.storage, storage);
      assert.equal(
        archive.running.lines.some((line) => line.includes('everything is kept in memory')),
        storage === 'memory',
      );
    });

    test('logs requests, without probes, queries, tokens and stacks', () => {
      const { lines } = archive.running;
      for (const line of [
        /^POST \/api\/v1\/auth\/sign-up 201 /,
        /^GET \/api\/v1\/users\/me 401 /,
        /^GET \/api\/v1\/files\/\d+\/content 206 /,
      ])
        assert.ok(
          lines.some((one) => line.test(one)),
          String(line),
        );
      assert.deepEqual(
        lines.filter((line) => /^GET \/health\/|after=|Bearer|a1\.|razorbill|^ {4}at | ERROR /.test(line)),
        [],
      );
    });

    test('at SIGTERM the feed ends, an upload is finished, and it goes with 0', { timeout: 60_000 }, async () => {
      const visitor = await new Visitor(archive).signUp('last@example.org');
      const feed = await visitor.follow();
      const upload = await visitor.beginUpload('late.txt');
      const ended = archive.running.stop();
      // Whatever was told before: then it ends.
      while ((await feed.next()) !== null);
      assert.equal(await upload.finish(), 201);
      assert.deepEqual(await ended, { code: 0, signal: null });
      await assert.rejects(new Visitor(archive).ask('/health/live'));
    });

    test('started again it knows what it knew, where there is a database', { timeout: 60_000 }, async () => {
      archive = await archive.again();
      const { status } = await new Visitor(archive).ask('/api/v1/auth/sign-in', {
        json: { email: 'last@example.org', password: PASSWORD },
      });
      assert.equal(status, storage === 'memory' ? 401 : 200);
      await asAdmin(archive);
      if (storage === 'memory') return;
      const visitor = await new Visitor(archive).signIn('last@example.org', PASSWORD);
      const { body } = await visitor.ask('/api/v1/files');
      assert.deepEqual(
        body.items.map(({ name }: { name: string }) => name),
        ['late.txt'],
      );
      const { status: content, text } = await visitor.ask(`/api/v1/files/${body.items[0].id}/content`);
      assert.deepEqual([content, text], [200, 'begun before the end'.repeat(1000)]);
    });
  });
}

let databases: Databases | undefined;
before(async () => void (noPostgres === false && (databases = await openDatabases())), { timeout: 120_000 });
after(() => databases?.stop());

for (const form of forms) {
  declare(form, 'memory', async () => '');
  declare(form, 'postgresql', async () => (databases as Databases).create());
}
