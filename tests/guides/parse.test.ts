/**
 * The reader of guides: nothing of a page is left out by accident, and what is printed is compared line by
 * line.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingLine, parseGuide, readBlocks } from './parse.ts';

const block = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\`\n`;

test('reads files, commands, servers and what they print, by section', () => {
  const page = [
    '# A guide\n',
    block('js title="app.js"', 'first();\nsecond();'),
    '## One\n',
    block('sh server', 'node app.js'),
    block('text output', 'listening\n  and more'),
    '## Two\n',
    '<!-- not run: it is large -->\n',
    block('sh', 'rm -r /'),
    block('sh', 'node app.js\nnode other.js'),
  ].join('\n');
  assert.deepEqual(parseGuide(page), {
    introduction: [{ kind: 'file', name: 'app.js', text: 'first();\nsecond();\n' }],
    sections: [
      { title: 'One', steps: [{ kind: 'command', text: 'node app.js', isServer: true, output: ['listening', 'and more'] }] },
      { title: 'Two', steps: [{ kind: 'command', text: 'node app.js\nnode other.js', isServer: false, output: [] }] },
    ],
  });
});

for (const [name, page] of [
  ['a block without a mark', block('js', 'code();')],
  ['a shell that is misspelt', block('bash', 'node app.js')],
  ['output of nothing', block('text output', 'listening')],
  ['a block without an end', '```sh\nnode app.js'],
  ['a block left alone without a reason', `<!-- not run: -->\n${block('', 'text')}`],
  ['a block in a list without a mark', `- one\n\n  ${block('js', '  code();')}`],
  ['a mark whose section has no block', `<!-- not run: it is large -->\n\n## Next\n\n${block('sh', 'node app.js')}`],
  ['a mark with words before its block', `<!-- not run: it is large -->\nas here:\n\n${block('sh', 'node app.js')}`],
  ['a mark at the end', '<!-- not run: it is large -->\n'],
] as const) {
  test(`refuses ${name}`, () => assert.throws(() => parseGuide(page), /^Error: the (?:block|mark) of line \d+/));
}

test('reads blocks within lists, without their indentation, and blocks whose text holds a fence', () => {
  const page = [
    '- one',
    '',
    '  ```js title="app.js"',
    '  if (a)',
    '    b();',
    '  ```',
    '',
    '````md title="page.md"',
    '```sh',
    '```',
    '````',
  ].join('\n');
  assert.deepEqual(
    readBlocks(page).blocks.map(({ title, text, line }) => [title, text, line]),
    [
      ['app.js', 'if (a)\n  b();\n', 3],
      ['page.md', '```sh\n```\n', 8],
    ],
  );
});

test('finds lines in their order, maybe among others, with … for any text', () => {
  const printed = 'first\n  one (3 ms)\nother\n[two]\n';
  assert.equal(missingLine(['first', 'one (…)', '[two]'], printed), undefined);
  assert.equal(missingLine(['[two]', 'first'], printed), 'first');
  assert.equal(missingLine(['one'], printed), 'one');
  assert.equal(missingLine(['one (3.ms)'], printed), 'one (3.ms)');
  assert.equal(missingLine(['first', 'first'], printed), 'first');
});
