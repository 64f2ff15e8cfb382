/** Languages that are not here, too old, or none: what is said, and that it is said again without looking each time. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { GuestLanguage } from '../../src/polyglot/language-api.ts';
import { pythonLanguage } from '../../src/polyglot/languages/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'fulmar-no-python-'));
after(() => {
  delete process.env['FULMAR_PYTHON'];
  rmSync(folder, { recursive: true, force: true });
});

/** An interpreter that says this of itself, and counts how often it was asked. */
function interpreter(said: string): void {
  const file = join(folder, 'python');
  writeFileSync(file, `#!/bin/sh\necho asked >> ${join(folder, 'asked')}\ncat <<'END'\n${said}\nEND\n`);
  chmodSync(file, 0o755);
  process.env['FULMAR_PYTHON'] = file;
}

const about = (facts: object): string =>
  JSON.stringify({
    version: [3, 12, 1],
    executable: '/python',
    library: '/nowhere/libpython3.12.so',
    shared: true,
    implementation: 'cpython',
    ...facts,
  });

const rejected = async (pattern: RegExp): Promise<void> => {
  const python = new GuestLanguage(pythonLanguage);
  await assert.rejects(python.import('json'), { code: 'ERR_GUEST_UNAVAILABLE', message: pattern });
  assert.throws(() => new GuestLanguage(pythonLanguage).import('json', { sync: true }), {
    code: 'ERR_GUEST_UNAVAILABLE',
    message: pattern,
  });
};

test('no interpreter of that name', async () => {
  process.env['FULMAR_PYTHON'] = join(folder, 'nothing');
  await rejected(/there is no .*nothing \(FULMAR_PYTHON\)\. Install Python 3\.9 or newer/);
});

test('one that is too old', async () => {
  interpreter(about({ version: [3, 8, 10] }));
  await rejected(/is Python 3\.8\.10: 3\.9 or newer is expected/);
});

test('one that is another implementation', async () => {
  interpreter(about({ implementation: 'pypy' }));
  await rejected(/is pypy: CPython is expected/);
});

test('one without a shared library', async () => {
  interpreter(about({ library: null }));
  await rejected(/has no shared library\. Debian: apt-get install libpython3\.12/);
});

test('one whose library cannot be opened', async () => {
  interpreter(about({}));
  await rejected(/library of Python could not be opened: .*libpython3\.12\.so/);
});

test('a library that is none of Python', async () => {
  const file = join(folder, 'libpython3.12.so');
  writeFileSync(file, 'no library');
  interpreter(about({ library: file }));
  await rejected(/could not be opened/);
});

test('one that says nothing of use', async () => {
  interpreter('hello');
  await rejected(/could not be asked where its library is/);
});

test('is looked for once by calls that come one after the other', async () => {
  interpreter(about({ library: null }));
  const asked = join(folder, 'asked');
  rmSync(asked, { force: true });
  const python = new GuestLanguage(pythonLanguage);
  for (let call = 0; call < 5; call += 1) await assert.rejects(python.import('json'), { code: 'ERR_GUEST_UNAVAILABLE' });
  assert.equal(readFileSync(asked, 'utf8'), 'asked\n');
});
