/** Licences of what is shipped: those of the packages, and of the sources of others within them. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { linkedCrates, notices } from '../../../scripts/lib/notices.mjs';

test('a crate tells its licence and those of the libraries that it carries along', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-notices-'));
  try {
    for (const path of ['src/library', 'src/other', 'src/empty']) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'LICENSE-APACHE'), 'apache of the crate');
    writeFileSync(join(folder, 'LICENSE-MIT'), 'mit of the crate');
    writeFileSync(join(folder, 'src/library/COPYING'), 'copying of the library');
    writeFileSync(join(folder, 'src/other/COPYING'), 'gpl of the other');
    writeFileSync(join(folder, 'src/other/LICENSE'), 'bsd of the other');
    const text = notices([], [{ name: 'a-sys', version: '1.0.0', license: 'MIT', folder }]);
    assert.match(
      text,
      /a-sys 1\.0\.0 \(MIT\)\n\nmit of the crate\n\nsrc\/library:\n\ncopying of the library\n\nsrc\/other:\n\nbsd of the other\n/,
    );
    assert.doesNotMatch(text, /apache|gpl/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the libraries in C of what is shipped are there', () => {
  const text = notices([], linkedCrates());
  for (const author of ['Eric Biggers', 'Fabrice Bellard', 'Meta Platforms']) assert.ok(text.includes(author), author);
});
