/** Help fits where it is read, and what is copied from it stays whole. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { benchHelp } from '../src/bench/help.ts';
import { buildHelp } from '../src/build/help.ts';
import { doctorHelp } from '../src/doctor/help.ts';
import { generateHelp } from '../src/generate/help.ts';
import { foldHelp } from '../src/help-text.ts';
import { generalHelp, runHelp } from '../src/help/texts.ts';
import { infoHelp } from '../src/info/help.ts';
import { newHelp } from '../src/new/help.ts';
import { routesHelp } from '../src/routes/help.ts';
import { parseArguments } from '../src/arguments.ts';
import { foldWords, widthOf } from '../src/text-width.ts';

const helps = {
  general: generalHelp,
  run: runHelp,
  build: buildHelp,
  bench: benchHelp,
  doctor: doctorHelp,
  routes: routesHelp,
  info: infoHelp,
  new: newHelp,
  generate: generateHelp,
};

/** Without usage and examples. */
const prose = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((block) => !/^(?:Usage|Examples?):/.test(block))
    .join('\n')
    .split('\n');

describe('the help', () => {
  for (const [name, text] of Object.entries(helps)) {
    it(`of ${name} fits any width, and keeps every word`, () => {
      for (const width of [50, 80, 100, 120, 400]) {
        const folded = foldHelp(text, width);
        assert.deepEqual(folded.split(/\s+/), text.split(/\s+/));
        const longest = Math.max(...prose(folded).map((line) => line.length));
        assert.ok(longest <= Math.min(width, 120), `${longest} columns of ${width}`);
      }
    });
    it(`of ${name} leaves usage and examples as they are`, () => {
      const copied = text
        .trimEnd()
        .split('\n\n')
        .filter((block) => /^(?:Usage|Examples?):/.test(block));
      for (const block of copied) assert.ok(foldHelp(text, 50).includes(block));
    });
  }

  it('keeps the columns of options', () => {
    const text = '  -a, --all <n>        take all that there is\n                       and more\n      --b              no\n';
    assert.equal(
      foldHelp(text, 40),
      '  -a, --all <n>        take all that\n                       there is and more\n      --b              no\n',
    );
  });

  it('of run names only options of Node that are passed on, and those that are not', () => {
    const rows = /passed on, all that.*?\n\n(.*?)\n\n/s.exec(runHelp)?.[1] ?? '';
    const passed = [...rows.matchAll(/(?<![\w-])--?[A-Za-z][\w-]*/g)].map(([flag]) => flag);
    assert.ok(passed.length > 20, String(passed.length));
    for (const flag of passed) {
      const command = parseArguments(['run', `${flag}`, ...(/^-[rC]$/.test(flag) ? ['x'] : []), 'app.js', 'app.js']);
      assert.ok(command.kind === 'run' && command.nodeFlags[0] === flag, flag);
    }
    const refused = /is not passed on: (.*?)\./.exec(runHelp)?.[1]?.split(', ') ?? [];
    assert.ok(refused.length > 3);
    for (const flag of refused) assert.throws(() => parseArguments(['run', flag, 'app.js']), { code: 'FULMAR_CLI_UNKNOWN_OPTION' }, flag);
  });
});

describe('the width', () => {
  it('is that of the terminal, and 80 where it is not known', () => {
    assert.equal(widthOf({ isTTY: true, columns: 132 }), 132);
    assert.equal(widthOf({ isTTY: true, columns: 0 }), 80);
    assert.equal(widthOf({ isTTY: true }), 80);
    assert.equal(widthOf({ columns: 132 }), 80);
    assert.equal(widthOf({}), 80);
  });

  it('does not break a word that is longer', () => {
    assert.equal(foldWords('  a longer-than-that b', 8, '  '), '  a\n  longer-than-that\n  b');
  });
});
