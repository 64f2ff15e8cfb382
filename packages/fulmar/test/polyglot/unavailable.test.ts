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

test('an environment that is gone', async () => {
  const { VIRTUAL_ENV: before } = process.env;
  delete process.env['FULMAR_PYTHON'];
  process.env['VIRTUAL_ENV'] = join(folder, 'gone');
  await rejected(
    /there is no .*gone\/bin\/python \(VIRTUAL_ENV\)\. VIRTUAL_ENV names the environment that is active: activate one that is there/,
  );
  if (before === undefined) delete process.env['VIRTUAL_ENV'];
  else process.env['VIRTUAL_ENV'] = before;
});

test('one that is too old', async () => {
  interpreter(about({ version: [3, 8, 10] }));
  await rejected(/^\/python \(FULMAR_PYTHON\) is Python 3\.8\.10: 3\.9 or newer is expected\. Install/);
});

test('a program that fails, with what it has said, and not what it was asked', async () => {
  const file = join(folder, 'python');
  writeFileSync(file, '#!/bin/sh\necho "pyenv: python3.99: command not found" >&2\necho "  try 3.12" >&2\nexit 127\n');
  chmodSync(file, 0o755);
  process.env['FULMAR_PYTHON'] = file;
  await rejected(/could not be asked where its library is: it ended with 127: pyenv: python3\.99: command not found try 3\.12\. Install/);
  process.env['FULMAR_PYTHON'] = folder;
  await rejected(/could not be asked where its library is: it is no program that may be run \(EACCES\)\. Install/);
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
  await rejected(/\(FULMAR_PYTHON\) is no Python: it answered "hello"\. Install Python/);
});

test('is looked for once by calls that come one after the other', async () => {
  interpreter(about({ library: null }));
  const asked = join(folder, 'asked');
  rmSync(asked, { force: true });
  const python = new GuestLanguage(pythonLanguage);
  for (let call = 0; call < 5; call += 1) await assert.rejects(python.import('json'), { code: 'ERR_GUEST_UNAVAILABLE' });
  assert.equal(readFileSync(asked, 'utf8'), 'asked\n');
});
