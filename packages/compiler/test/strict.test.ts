/** `"fulmar": { "strictTypes": true }` in `tsconfig.json`: what takes anything is told, all at once. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CompileError, type Problem } from '../src/analyze/problem.ts';
import { compiled, makeProject } from './support.ts';

let folder = '';
before(() => {
  folder = makeProject();
});
after(() => rmSync(folder, { recursive: true, force: true }));

const COMPILER = { strict: true, module: 'nodenext', target: 'es2023' };

function problemsOf(settings: object, text: string): readonly Problem[] {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER, ...settings }));
  try {
    compiled(folder, `import { validate } from 'fulmar/types';\n${text}`);
    return [];
  } catch (error) {
    assert.ok(error instanceof CompileError, String(error));
    return error.problems;
  }
}

const LOOSE =
  'interface Empty {}\ninterface Deep { a: { b: unknown[] }; c: Record<string, any>; d: object; e: {} | string; f: Map<string, Empty>; g: number }\nvalidate<Deep>(1);';

describe('strict types', () => {
  it('are not asked for unless the configuration says so', () => {
    assert.deepEqual(problemsOf({}, LOOSE), []);
    assert.deepEqual(problemsOf({ fulmar: {} }, LOOSE), []);
    assert.deepEqual(problemsOf({ fulmar: { strictTypes: false } }, LOOSE), []);
  });

  it('tell every place that takes anything', () => {
    const problems = problemsOf({ fulmar: { strictTypes: true } }, LOOSE);
    assert.deepEqual(
      problems.map(({ path, message }) => [path, message.split(',')[0]]),
      [
        ['Deep.a.b[]', 'is unknown'],
        ['Deep.c[]', 'is any'],
        ['Deep.d', 'is object'],
        ['Deep.e', 'is {}'],
        ['Deep.f<value>', 'is Empty'],
      ],
    );
    assert.ok(problems.every(({ file, line, column }) => file === join(folder, 'main.ts') && line === 4 && column === 1));
    assert.match(problems[0]?.message ?? '', /nothing is checked: name what it holds \(strictTypes in tsconfig\.json asks for that\)/);
  });

  it('leave alone what only looks so: branded and literal texts', () => {
    const text =
      "type Id = string & { readonly __brand: 'Id' };\ntype Loose = 'a' | (string & {});\nvalidate<{ id: Id; loose: Loose }>(1);";
    assert.deepEqual(problemsOf({ fulmar: { strictTypes: true } }, text), []);
  });

  it('come from a configuration that is extended, unless the nearer one says otherwise', () => {
    const first = folder;
    // A configuration is read once in a process.
    folder = makeProject({ 'base.json': JSON.stringify({ fulmar: { strictTypes: true } }) });
    try {
      assert.equal(problemsOf({ extends: './base.json' }, LOOSE).length, 5);
      assert.equal(problemsOf({ extends: './base.json', fulmar: { strictTypes: false } }, LOOSE).length, 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      folder = first;
    }
  });

  it('refuse settings that there are none of', () => {
    const WRONG: readonly (readonly [settings: unknown, told: RegExp])[] = [
      [{ strict: true }, /fulmar\.strict is no setting; there is strictTypes/],
      [{ strictTypes: 'yes' }, /fulmar\.strictTypes is true or false, and this is string/],
      [true, /fulmar is an object/],
    ];
    for (const [fulmar, told] of WRONG) {
      const problems = problemsOf({ fulmar }, 'validate<string>(1);');
      assert.match(new CompileError(problems, []).message, told);
      assert.ok(problems[0]?.file.endsWith('tsconfig.json'));
    }
  });
});
