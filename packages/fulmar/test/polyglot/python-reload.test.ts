/** Files of Python that are loaded anew: what is imported then is the new code, and what there was stays as it was. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type DevGuest, removeGlobal, setGlobal } from '../../src/host/globals.ts';
import { python } from '../../src/polyglot/index.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-reload-')));
after(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

interface Model {
  readonly word: () => Promise<string>;
  readonly Thing: new () => Promise<{ readonly word: () => Promise<string> }>;
}

const model = write(
  'reload_model.py',
  'import reload_helper\n\ndef word():\n    return reload_helper.WORD\n\nclass Thing:\n    def word(self):\n        return reload_helper.WORD\n',
);
const helper = write('reload_helper.py', 'WORD = "one"\n');

test('`reload: true` loads a file again, with what it imports of its folder', async () => {
  const before = await python.import<Model>(model);
  const thing = await new before.Thing();
  assert.equal(await before.word(), 'one');
  // Within the second, and of the same size.
  write('reload_helper.py', 'WORD = "two"\n');
  assert.equal(await (await python.import<Model>(model)).word(), 'one');
  const later = python.importLater<Model>(model);
  assert.equal(await later.word(), 'one');
  const again = await python.import<Model>(model, { reload: true });
  assert.equal(await later.word(), 'two');
  assert.equal(await again.word(), 'two');
  assert.deepEqual([await before.word(), await thing.word()], ['one', 'one']);
  assert.equal(await (await python.import<Model>(model)).word(), 'two');
});

test('in processes of their own each process loads it again', async () => {
  const isolated = python.isolated({ processes: 2 });
  try {
    write('reload_helper.py', 'WORD = "old"\n');
    const before = await isolated.import<Model>(model);
    assert.equal(await before.word(), 'old');
    write('reload_helper.py', 'WORD = "new"\n');
    const again = await isolated.import<Model>(model, { reload: true });
    assert.deepEqual(new Set(await Promise.all(Array.from({ length: 8 }, () => again.word()))), new Set(['new']));
  } finally {
    await isolated.close();
    write('reload_helper.py', 'WORD = "two"\n');
  }
});

test('what is installed is not loaded again', async () => {
  await assert.rejects(python.import('json', { reload: true }), /json is not loaded again: that is done for files of the application/);
  assert.throws(() => void python.import(model, { reload: 1 as never }), /reload is true or false/);
});

test('who watches files is told of each, and handles that were there at once ask again', async () => {
  const told: { file: string; importer: string | undefined; isAwaited: boolean }[] = [];
  let guest: DevGuest | undefined;
  setGlobal('fulmar.guests', {
    imported(one, file, { importer, isAwaited }) {
      guest = one;
      told.push({ file, importer, isAwaited });
    },
  });
  try {
    const later = python.importLater<Model>(model);
    assert.equal(await later.word(), 'two');
    const now = await python.import<Model>(model);
    assert.deepEqual(
      told.map(({ file, isAwaited }) => [file, isAwaited]),
      [
        [model, false],
        [model, true],
      ],
    );
    write('reload_helper.py', 'WORD = "six"\n');
    assert.deepEqual(await guest?.forget(folder, [join(folder, 'other.py')]), []);
    assert.equal(await later.word(), 'two');
    assert.deepEqual(await guest?.forget(folder, [helper]), [helper]);
    assert.equal(await later.word(), 'six');
    assert.equal(await now.word(), 'two');
    write('reload_helper.py', 'WORD = (\n');
    await guest?.forget(folder, [helper]);
    await assert.rejects(later.word(), { class: 'SyntaxError' });
    write('reload_helper.py', 'WORD = "ten"\n');
    await guest?.forget(folder, undefined);
    assert.equal(await later.word(), 'ten');
  } finally {
    removeGlobal('fulmar.guests');
  }
});
