/** `fulmar polyglot types`: what it writes is found by TypeScript, agrees with what calls give, and names faults. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { addFile, fulmar } from '../cli/support.ts';
import { check, project } from './typed.ts';

const model = `"""Birds."""
from dataclasses import dataclass
from typing import Iterator, Literal, Optional

raise_when_run = 1 / 1

@dataclass
class Point:
    x: float
    y: float = 0

class Flock:
    def __init__(self, name: str):
        self.name = name
    def join(self, bird: str, *, twice: bool = False) -> int:
        """How many there are."""
        return 2 if twice else 1

def double(x: int) -> int:
    return x * 2

def numbers(n: int) -> Iterator[int]:
    yield from range(n)

def find(kind: Literal["a", "b"]) -> Optional[Point]:
    return Point(1) if kind == "a" else None
`;

const app = `import model, { type Flock, type Point } from './model.py';
import { kwargs, python } from 'fulmar/polyglot';
const double: number = await model.double(21);
const flock: Flock = await new model.Flock('north');
const joined: number = await flock.join('fulmar', kwargs({ twice: true }));
const name: string = await flock.name;
const all: number[] = [];
for await (const one of await model.numbers(3)) all.push(one);
const found: Point | null = await model.find('a');
const again: number = await (await python.import<typeof import('./model.py')>('./model.py')).double(1);
const later: number = await Polyglot.import<typeof import('./model.py')>('./model.py').double(2);
console.log(JSON.stringify([double, joined, name, all, found, again, later]));
`;

describe('fulmar polyglot types', () => {
  it('writes beside a file what TypeScript finds for its import, and what calls give', async () => {
    const folder = project({ 'model.py': model, 'app.ts': app });
    const { code, stderr } = await fulmar(folder, ['polyglot', 'types', 'model.py']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /model\.d\.py\.ts: types of model\.py/);
    assert.equal(await check(folder), '');
    const run = await fulmar(folder, ['run', '--polyglot', 'app.ts']);
    assert.equal(run.stdout, '[42,2,"north",[0,1,2],{"x":1,"y":0},2,4]\n', run.stderr);
  });

  it('makes wrong calls errors of the compiler', async () => {
    const wrong = [
      "model.double('x')",
      'model.nothing()',
      "model.find('c')",
      "(await new model.Flock('a')).join('b', kwargs({ often: true }))",
    ];
    const folder = project({
      'model.py': model,
      ...Object.fromEntries(
        wrong.map((one, at) => [
          `wrong${at}.ts`,
          `import model from './model.py'; import { kwargs } from 'fulmar/polyglot'; void kwargs; void (${one});`,
        ]),
      ),
    });
    await fulmar(folder, ['polyglot', 'types', 'model.py']);
    const told = await check(folder);
    for (const at of wrong.keys()) assert.match(told, new RegExp(`wrong${at}\\.ts\\(1,\\d+\\): error`));
  });

  it('is not needed: a file without it has members of which nothing is known', async () => {
    const folder = project({
      'model.py': model,
      'app.ts': "import model from './model.py'; const x: unknown = await model['double']?.(1); void x;",
    });
    assert.equal(await check(folder), '');
  });

  it('does not run the file', async () => {
    const folder = project({ 'model.py': `open(${JSON.stringify('ran')}, 'w')\ndef f() -> int: ...\n` });
    assert.equal((await fulmar(folder, ['polyglot', 'types', 'model.py', '--out', 'types.d.ts'])).code, 0);
    assert.match(readFileSync(join(folder, 'types.d.ts'), 'utf8'), /f\(\): Promise<number>;/);
    assert.equal(existsSync(join(folder, 'ran')), false);
  });

  it('tells the place of what is no Python, and what is missing', async () => {
    const folder = project({ 'broken.py': 'def f():\n    return (\n' });
    const broken = await fulmar(folder, ['polyglot', 'types', 'broken.py']);
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /^fulmar: broken\.py:2: '\(' was never closed|^fulmar: broken\.py:\d: /);
    const none = await fulmar(folder, ['polyglot', 'types', 'broken.py'], { env: { FULMAR_PYTHON: '/nowhere/python' } });
    assert.equal(none.code, 1);
    assert.match(none.stderr, /no \/nowhere\/python \(FULMAR_PYTHON\)/);
    addFile(folder, 'x.txt', '');
    assert.equal((await fulmar(folder, ['polyglot', 'types', 'nowhere.py'])).code, 1);
  });
});
