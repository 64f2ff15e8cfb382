/** Source files of Java: what they use of each other, packages, and files that are loaded anew. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type GuestError, java } from '../../src/polyglot/index.ts';

type Calls = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

const folder = mkdtempSync(join(tmpdir(), 'fulmar-java-'));
after(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const load = async (file: string, options: object = {}): Promise<Calls> => (await java.import(file, options)) as unknown as Calls;
const { problem } = await java.look();

describe('source files of Java', { skip: problem ?? false }, () => {
  it('use each other, and have the same classes', async () => {
    write('shared/Counter.java', 'public class Counter { private static int n; static int next() { return ++n; } }');
    const a = await load(write('shared/A.java', 'public class A { public static int next() { return Counter.next(); } }'));
    const b = await load(write('shared/B.java', 'class B { public static int next() { return Counter.next(); } }'));
    assert.deepEqual([await a['next']?.(), await b['next']?.(), await a['next']?.()], [1, 2, 3]);
  });

  it('of a package begin where their folders do, and errors say where they are', async () => {
    write(
      'tree/com/acme/util/Words.java',
      'package com.acme.util; public class Words { public static String of(int n) { return "w" + 1 / n; } }',
    );
    const text =
      'package com.acme;\nimport com.acme.util.Words;\npublic class Model {\n  public static String say(int n) {\n    return Words.of(n);\n  }\n}';
    const model = await load(write('tree/com/acme/Model.java', text));
    assert.equal(await model['say']?.(1), 'w1');
    const error = (await model['say']?.(0)?.catch((problem_: unknown) => problem_)) as GuestError;
    assert.equal(error.class, 'java.lang.ArithmeticException');
    assert.deepEqual(
      error.frames.map(({ file, line, function: name }) => [file, line, name]),
      [
        [join(folder, 'tree/com/acme/util/Words.java'), 1, 'com.acme.util.Words.of'],
        [join(folder, 'tree/com/acme/Model.java'), 5, 'com.acme.Model.say'],
      ],
    );
  });

  it('are loaded once, and anew where that is asked for', async () => {
    const file = write('again/Version.java', 'public class Version { public static int value() { return Part.value(); } }');
    write('again/Part.java', 'class Part { static int value() { return 1; } }');
    const first = await load(file);
    assert.equal(await first['value']?.(), 1);
    write('again/Part.java', 'class Part { static int value() { return 2; } }');
    assert.equal(await (await load(file))['value']?.(), 1);
    assert.equal(await (await load(file, { reload: true }))['value']?.(), 2);
    assert.equal(await first['value']?.(), 1);
    assert.equal(await (await load(file))['value']?.(), 2);
    await assert.rejects(load('java.lang.Math', { reload: true }), /is not loaded again: that is done for source files/);
  });

  it('that do not compile say where, and can be mended', async () => {
    const file = write('broken/Broken.java', 'public class Broken {\n  public static int value() { return nothing; }\n}');
    const error = (await load(file).catch((problem_: unknown) => problem_)) as GuestError;
    assert.match(error.message, /line 2: cannot find symbol/);
    assert.deepEqual([error.frames[0]?.file, error.frames[0]?.line], [file, 2]);
    write('broken/Broken.java', 'public class Broken { public static int value() { return 3; } }');
    assert.equal(await (await load(file))['value']?.(), 3);
  });

  it('have a class of the name of the file', async () => {
    await assert.rejects(
      load(write('other/Name.java', 'public class Other {}')),
      /has no class Name: the class that is imported has the name of its file/,
    );
  });
});
