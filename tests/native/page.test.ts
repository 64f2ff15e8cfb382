/** The page about the QuickJS host says what the tests say. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { test } from 'node:test';
import { loadCases } from './harness/module-tests.ts';
import { makePage, NODE_MAJOR, PAGE } from './harness/page.ts';
import { declaredRows } from './harness/table.ts';

const REMAKE = 'make it again: node --import ./scripts/ts-register.mjs tests/native/table.ts (with the newest Node)';
const isNewest = Number(process.versions.node.split('.')[0]) === NODE_MAJOR;

test('docs/reference/native.md names every member that the cases name, with its state and reason', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const files = await loadCases();
  for (const module of new Set(files.map((file) => file.cases.module))) {
    const section = page.split(/^### /m).find((text) => text.startsWith(`${module}\n`)) ?? '';
    for (const { member, state, reason } of declaredRows(files, module).values()) {
      const lines = section.split('\n').filter((line) => line.includes(`| ${state} | ${reason.replaceAll('|', '\\|')} |`));
      assert.ok(
        lines.some((line) => line.includes(member.replaceAll('|', '\\|'))),
        `${module}: ${member} is not in the page as "${state}"; ${REMAKE}`,
      );
    }
  }
});

// Older Nodes have fewer members: the whole page can only be made again with the one it was made with.
test(
  'docs/reference/native.md is what the tests and both hosts make of it',
  { skip: isNewest ? false : `made with Node ${NODE_MAJOR}` },
  async () => {
    const [committed, made] = [readFileSync(PAGE, 'utf8').split('\n'), (await makePage()).split('\n')];
    // Line by line: a report of both whole pages would be of no use.
    for (const [index, line] of made.entries()) assert.equal(committed[index], line, `line ${index + 1} of ${PAGE}; ${REMAKE}`);
    assert.equal(committed.length, made.length, REMAKE);
  },
);
