/** Java that is not here, too old or none, and what it is started with: what is said. Starts it in the last case alone. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { java } from '../../src/polyglot/index.ts';
import { GuestLanguage } from '../../src/polyglot/language-api.ts';
import { javaLanguage } from '../../src/polyglot/languages/java.ts';

const folder = mkdtempSync(join(tmpdir(), 'fulmar-no-java-'));
const before = { home: process.env['FULMAR_JAVA_HOME'], java: process.env['JAVA_HOME'], path: process.env['PATH'] };
const setting = (name: string, value: string | undefined): void => {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
};
const restore = (): void => {
  setting('FULMAR_JAVA_HOME', before.home);
  setting('JAVA_HOME', before.java);
  setting('PATH', before.path);
};
after(() => {
  restore();
  rmSync(folder, { recursive: true, force: true });
});

function home(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return join(folder, name);
}

async function rejected(pattern: RegExp): Promise<void> {
  const expected = { code: 'ERR_GUEST_UNAVAILABLE', message: pattern };
  await assert.rejects(new GuestLanguage(javaLanguage).import('java.lang.Math'), expected);
  assert.throws(() => new GuestLanguage(javaLanguage).import('java.lang.Math', { sync: true }), expected);
}

test('a folder that is not there', async () => {
  process.env['FULMAR_JAVA_HOME'] = join(folder, 'nothing');
  await rejected(
    /there is no .*nothing \(FULMAR_JAVA_HOME\)\. Install Java 11 or newer \(Debian: apt-get install openjdk-17-jre-headless\)/,
  );
});

test('one that has no library', async () => {
  delete process.env['FULMAR_JAVA_HOME'];
  process.env['JAVA_HOME'] = home('empty', { release: 'JAVA_VERSION="17.0.1"\n' });
  await rejected(/empty \(JAVA_HOME\) has no libjvm\.\w+: it is no Java/);
});

test('one that is too old', async () => {
  process.env['FULMAR_JAVA_HOME'] = home('old', { release: 'JAVA_VERSION="1.8.0_412"\n', 'jre/lib/amd64/server/libjvm.so': '' });
  await rejected(/old \(FULMAR_JAVA_HOME\) is Java 1\.8\.0_412: 11 or newer is expected/);
});

test('one whose library is none', async () => {
  process.env['FULMAR_JAVA_HOME'] = home('broken', { 'lib/server/libjvm.so': 'no library' });
  await rejected(/the library of Java could not be opened: .*libjvm\.so/);
});

test('none at all', async () => {
  delete process.env['FULMAR_JAVA_HOME'];
  delete process.env['JAVA_HOME'];
  process.env['PATH'] = folder;
  await rejected(/there is no java \(looked for by FULMAR_JAVA_HOME, JAVA_HOME and the path\)\. Install Java 11/);
  restore();
});

test('options that are none', () => {
  const own = new GuestLanguage(javaLanguage);
  const configure = (options: object) => () => own.configure(options);
  assert.throws(configure({ jvmoptions: [] }), /java\.configure\(\) knows no option "jvmoptions": did you mean jvmOptions\?/);
  assert.throws(configure({ jvmOptions: '-Xmx1g' }), /jvmOptions is a list of texts, and this is -Xmx1g/);
  assert.throws(configure({ threads: 0 }), /threads is a number from 1 to 256, and this is 0/);
  assert.throws(configure({ queue: 1.5 }), /queue is an integer, and this is 1\.5/);
  assert.throws(configure({ home: '' }), /home is a text/);
});

test('a start that fails when nobody waits any more is told to whoever comes', async (t) => {
  const { problem } = await java.look();
  if (problem !== null) return t.skip(problem);
  const own = new GuestLanguage(javaLanguage);
  own.configure({ jvmOptions: ['-XX:NoSuchOption=2'] });
  assert.throws(() => own.import('java.lang.Math', { sync: true, timeout: 0.001 }), { code: 'ERR_GUEST_TIMEOUT' });
  // What is not caught in between fails the test.
  await assert.rejects(own.import('java.lang.Math'), { code: 'ERR_GUEST_UNAVAILABLE', message: /-XX:NoSuchOption=2/ });
  assert.throws(() => own.import('java.lang.Math', { sync: true }), { code: 'ERR_GUEST_UNAVAILABLE' });
});

test('options that Java refuses, and then none', async (t) => {
  const { problem, library } = await java.look();
  if (problem !== null) return t.skip(problem);
  const own = new GuestLanguage(javaLanguage);
  own.configure({ jvmOptions: ['-XX:NoSuchOption=1'] });
  await assert.rejects(own.import('java.lang.Math'), {
    code: 'ERR_GUEST_UNAVAILABLE',
    message: /did not start \(code -\d\) with the options -XX:NoSuchOption=1/,
  });
  java.configure({ home: dirname(dirname(dirname(String(library)))), threads: 2, jvmOptions: ['-Xmx64m', '-Dfulmar.test=yes'] });
  const system = (await java.import('java.lang.System')) as unknown as { getProperty(name: string): Promise<unknown> };
  assert.equal(await system.getProperty('fulmar.test'), 'yes');
  assert.throws(() => java.configure({ threads: 3 }), /java has been started already/);
});
