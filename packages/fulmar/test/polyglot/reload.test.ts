/** Files of Ruby and Java that are loaded anew; Python's, with what they import, are in `python-reload.test.ts`. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type DevGuest, removeGlobal, setGlobal } from '../../src/host/globals.ts';
import { type GuestLanguage, java, ruby } from '../../src/polyglot/index.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-reload-')));
after(() => rmSync(folder, { recursive: true }));

interface Said {
  readonly say: () => Promise<string>;
}

interface Case {
  readonly guest: GuestLanguage;
  readonly file: string;
  readonly source: (word: string) => string;
  /** Something of the code that stays what it is. */
  readonly kept: (module: never) => Promise<Said>;
}

const cases: readonly Case[] = [
  {
    guest: ruby,
    file: 'reload_word.rb',
    source: (word) => `class ReloadWord\n  WORD = '${word}'\n  def say = WORD\n  def self.say = WORD\nend\n`,
    kept: ({ ReloadWord }: { readonly ReloadWord: new () => Promise<Said> }) => new ReloadWord(),
  },
  {
    guest: java,
    file: 'ReloadWord.java',
    source: (word) =>
      `public class ReloadWord { public static String say() { return "${word}"; } public static class Kept { public String say() { return "${word}"; } } }`,
    kept: (module: { readonly Kept: new () => Promise<Said> }) => new module.Kept(),
  },
];

for (const { guest, file, source, kept } of cases) {
  const { problem } = await guest.look();
  const path = join(folder, file);
  const write = (word: string): void => writeFileSync(path, source(word));
  const wordOf = async (options = {}): Promise<string> => (await guest.import<Said>(path, options)).say();

  test(`${guest.name}: \`reload: true\` loads a file again, and what was made before stays`, { skip: problem ?? false }, async () => {
    write('one');
    const before = await kept((await guest.import(path)) as never);
    assert.equal(await wordOf(), 'one');
    write('two');
    assert.equal(await wordOf(), 'one');
    assert.equal(await wordOf({ reload: true }), 'two');
    assert.equal(await wordOf(), 'two');
    assert.equal(await before.say(), 'one');
  });

  test(`${guest.name}: what is installed is not loaded again`, { skip: problem ?? false }, async () => {
    const name = guest === java ? 'java.lang.Math' : 'json';
    await assert.rejects(guest.import(name, { reload: true }), new RegExp(`${name.replaceAll('.', '\\.')} is not loaded again`));
  });

  test(
    `${guest.name}: who watches files has them forgotten, and handles that were there at once ask again`,
    { skip: problem ?? false },
    async () => {
      let told: DevGuest | undefined;
      setGlobal('fulmar.guests', { imported: (one) => void (told = one) });
      try {
        const later = guest.importLater<Said>(path);
        assert.equal(await later.say(), 'two');
        write('six');
        assert.deepEqual(await told?.forget(folder, [join(folder, 'other')]), []);
        assert.equal(await later.say(), 'two');
        assert.deepEqual(await told?.forget(folder, [path]), [path]);
        assert.equal(await later.say(), 'six');
      } finally {
        removeGlobal('fulmar.guests');
      }
    },
  );
}
