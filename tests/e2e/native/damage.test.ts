/**
 * Executables that are damaged, incomplete or put together from different ones, and applications that fail at
 * once: a clear message.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { type Built, executable } from '../build/support.ts';
import { dist, type Ended, start, writeProject } from '../cli/support.ts';

const timeout = 60_000;
const { platform, arch } = process;
const libc = process.platform !== 'linux' ? '' : hasGlibc() ? '-gnu' : '-musl';
const runtimeName = `fulmar-native-${platform}-${arch}${libc}`;
const runtime = join(dist, runtimeName);

function hasGlibc(): boolean {
  return 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header;
}

/** Runs `bytes` as a program. */
function runBytes(bytes: Uint8Array, args: readonly string[] = []): Promise<Ended> {
  const file = join(writeProject({}), 'app');
  writeFileSync(file, bytes, { mode: 0o755 });
  return start('/', args, { program: file }).ended;
}

async function assertRefused(bytes: Uint8Array, message: RegExp, args: readonly string[] = []): Promise<void> {
  const { code, stdout, stderr } = await runBytes(bytes, args);
  assert.deepEqual([code, stdout], [1, ''], stderr);
  assert.match(stderr, message);
  assert.match(stderr, /^fulmar: [^\n]+\n$/);
}

describe('an executable', () => {
  let whole: Buffer;
  let program: Buffer;
  before(async () => {
    const built: Built = await executable.build({ 'main.js': 'console.log("ran");', 'a.txt': 'a' }, 'main.js', ['--include', 'a.txt']);
    whole = readFileSync(built.file);
    program = readFileSync(runtime);
  });

  const flipped = (at: number): Buffer => {
    const copy = Buffer.from(whole);
    copy[at] = (copy[at] ?? 0) ^ 0x10;
    return copy;
  };

  test('runs as it is', { timeout }, async () => {
    const { code, stdout } = await runBytes(whole);
    assert.deepEqual([code, stdout], [0, 'ran\n']);
  });

  test('that was cut off says so', { timeout }, async () => {
    for (const bytes of [whole.length - 1, whole.length - 100, (whole.length + program.length) >> 1, program.length - 1]) {
      await assertRefused(whole.subarray(0, bytes), /is not complete.*cut off.*copy it again/);
    }
  });

  test('that lost its application says so', { timeout }, async () => {
    await assertRefused(whole.subarray(0, program.length), /runtime without an application.*fulmar build --native/);
    await assertRefused(whole.subarray(0, program.length), /runtime without an application/, ['serve', '--port', '80']);
  });

  test('whose application was damaged says so, wherever the damage is', { timeout }, async () => {
    await assertRefused(flipped(program.length), /a part's checksum differs: the file is damaged/);
    await assertRefused(flipped(program.length + 20), /a part's checksum differs: the file is damaged/);
    // The index lies before the 48 bytes of the footer.
    await assertRefused(flipped(whole.length - 60), /index's checksum differs: the file is damaged/);
    for (const fromEnd of [40, 36, 30, 20, 12, 4]) {
      await assertRefused(flipped(whole.length - fromEnd), /cannot run: .*(?:damaged|another runtime|another version|kind of archive)/);
    }
    await assertRefused(flipped(whole.length - 48), /is not complete/);
  });

  test('whose runtime was damaged says so', { timeout }, async () => {
    await assertRefused(flipped(program.length - 60), /index's checksum differs/);
    const start = program.indexOf('node:internal/boot.cjs');
    const { code, stderr } = await runBytes(flipped(start));
    assert.notEqual(code, 0);
    assert.match(stderr, /damaged/);
  });

  test('with something behind its end says so', { timeout }, async () => {
    await assertRefused(Buffer.concat([whole, Buffer.from('x')]), /is not complete/);
  });

  test('refuses the application of another runtime', { timeout }, async () => {
    // The runtime's number is the last field of its footer.
    const other = Buffer.from(whole);
    other.writeUInt8((other[program.length - 1] ?? 0) ^ 1, program.length - 1);
    await assertRefused(other, /was built for another runtime than the one it is attached to; build it again/);
    await assertRefused(Buffer.concat([whole, whole.subarray(program.length)]), /was built for another runtime/);
  });
});

describe('the build', () => {
  test('refuses a runtime that is damaged, foreign or of another version', { timeout }, async () => {
    const installation = copyOfInstallation();
    const place = join(installation, 'dist', runtimeName);
    const project = writeProject({ 'main.js': '' });
    const attempt = async (): Promise<string> => {
      const { code, stderr } = await start(project, [join(installation, 'bin', 'fulmar.cjs'), 'build', '--native', 'main.js'], {
        plain: true,
      }).ended;
      assert.equal(code, 1);
      return stderr;
    };
    assert.match(await attempt(), /^fulmar: an executable needs the native runtime, fulmar-native-.*npm run build/);
    writeFileSync(place, readFileSync(runtime).subarray(0, -1), { mode: 0o755 });
    assert.match(await attempt(), /is not a native runtime that works here: this executable is not complete/);
    writeFileSync(place, '#!/bin/sh\necho hello\n');
    assert.match(await attempt(), /is not a native runtime that works here: it gave no answer/);
    writeFileSync(place, '#!/bin/sh\necho fulmar-native 0.0.1\n');
    assert.match(await attempt(), /is the native runtime of Fulmar 0\.0\.1, and this is /);
    rmSync(place);
    writeFileSync(place, readFileSync(runtime), { mode: 0o644 });
    assert.match(await attempt(), /is not a native runtime that works here: .*EACCES/);
  });
});

/** The package with its bundles, without a QuickJS host. */
function copyOfInstallation(): string {
  const folder = join(writeProject({}), 'fulmar');
  const isLeftOut = (path: string): boolean =>
    /\.(?:node|map)$/.test(path) || basename(path).startsWith('fulmar-native') || basename(path) === 'native';
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(dist, '..', name), join(folder, name), { recursive: true, filter: (path) => !isLeftOut(path) });
  }
  return folder;
}
