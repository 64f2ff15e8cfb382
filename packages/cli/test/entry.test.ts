/** Finding the file to run, and saying why there is none. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findEntry } from '../src/entry.ts';
import { nearest } from '../../fulmar/src/host/suggest.ts';
import { writeProject } from '../../fulmar/test/launch/support.ts';

const folder = writeProject({
  'app.ts': '',
  'both.ts': '',
  'both.js': '',
  script: '',
  'style.css': '',
  'pack/package.json': '{"main":"lib/start"}',
  'pack/lib/start.cjs': '',
  'marked/package.json': '\uFEFF{"main":"own.js"}',
  'marked/own.js': '',
  'marked/index.js': '',
  'indexed/index.ts': '',
  'nested/package.json': '{"main":"./lib"}',
  'nested/lib/index.js': '',
  'empty/readme.md': '',
  'usual/server.js': '',
  'styled/package.json': '{"main":"../style.css"}',
});

describe('the entry', () => {
  it('is the file named', () => assert.equal(findEntry(join(folder, 'app.ts')), join(folder, 'app.ts')));
  it('may have no extension, as under node', () => assert.equal(findEntry(join(folder, 'script')), join(folder, 'script')));
  it('is completed, JavaScript first', () => {
    assert.equal(findEntry(join(folder, 'app')), join(folder, 'app.ts'));
    assert.equal(findEntry(join(folder, 'both')), join(folder, 'both.js'));
  });

  it('is what node would run in a directory', () => {
    assert.equal(findEntry(join(folder, 'pack')), join(folder, 'pack/lib/start.cjs'));
    assert.equal(findEntry(join(folder, 'marked')), join(folder, 'marked/own.js'));
    assert.equal(findEntry(join(folder, 'indexed')), join(folder, 'indexed/index.ts'));
    assert.equal(findEntry(join(folder, 'nested')), join(folder, 'nested/lib/index.js'));
  });

  const refusals: [name: string, code: string, message: RegExp][] = [
    ['app.js', 'FULMAR_CLI_NOT_FOUND', /cannot find .*app\.js\. Did you mean .*app\.ts\?/],
    ['bpp.ts', 'FULMAR_CLI_NOT_FOUND', /Did you mean .*app\.ts\?/],
    ['something-else.ts', 'FULMAR_CLI_NOT_FOUND', /Looked for .*something-else\.ts\./],
    ['no/folder/app.ts', 'FULMAR_CLI_NOT_FOUND', /Looked for/],
    [
      'empty',
      'FULMAR_CLI_DIRECTORY',
      /is a directory without a file that its package\.json names as main, and without index\. Name the file to run\./,
    ],
    ['usual', 'FULMAR_CLI_DIRECTORY', /without index\. Did you mean .*usual.server\.js\?/],
    ['styled', 'FULMAR_CLI_UNSUPPORTED_FILE', /cannot run .*style\.css/],
    ['style.css', 'FULMAR_CLI_UNSUPPORTED_FILE', /cannot run .*style\.css: fulmar runs \.js.*not \.css/],
  ];
  for (const [name, code, message] of refusals) {
    it(`is refused for ${name}`, () => assert.throws(() => findEntry(join(folder, name)), { code, message }));
  }
});

describe('suggestions', () => {
  const known = ['--workers', '--watch', '--verbose'];
  it('finds swapped, missing and wrong letters', () => {
    assert.equal(nearest('--wrokers', known), '--workers');
    assert.equal(nearest('--wach', known), '--watch');
    assert.equal(nearest('--verbase', known), '--verbose');
  });
  it('stays silent about words that are far from all', () => assert.equal(nearest('--inspect', known), undefined));
});
