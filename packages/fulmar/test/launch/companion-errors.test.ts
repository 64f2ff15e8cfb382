/** Which versions of the packages that do not come along are taken. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { notInstalled, unsuitable } from '../../src/launch/installed/companion-errors.ts';

const bundle = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

const cases: readonly [name: 'rolldown' | 'oxc-transform' | 'fulmar-compiler', version: string, isTaken: boolean][] = [
  ['rolldown', '1.3.1', false],
  ['rolldown', '1.3.2', true],
  ['rolldown', '1.99.0', true],
  ['rolldown', '1.4.0-beta.1', true],
  ['rolldown', '1.0.0-rc.1', false],
  ['rolldown', '2.0.0', false],
  ['rolldown', '2.0.0-beta.1', false],
  ['oxc-transform', '0.157.9', false],
  ['oxc-transform', '0.158.0', true],
  ['oxc-transform', '0.200.0', true],
  ['oxc-transform', '1.0.0', false],
  ['fulmar-compiler', '0.1.0', true],
  ['fulmar-compiler', '0.2.0', false],
  // Its manifest tells none.
  ['rolldown', '', true],
];

for (const [name, version, isTaken] of cases) {
  it(`${name} ${version || 'without a version'} is ${isTaken ? 'taken' : 'refused, with the range that is needed'}`, () => {
    const error = unsuitable(name, version, bundle);
    if (isTaken) assert.equal(error, undefined);
    else assert.match(error?.message ?? '', /^\S+ \S+ is installed, and Fulmar needs [\^>]\S.* of it\. Run: npm install -D "/);
  });
}

it('says which command installs what is missing', () => {
  const { message } = notInstalled('fulmar-compiler', 'for types, Fulmar needs', bundle);
  assert.equal(
    message,
    'for types, Fulmar needs fulmar-compiler, which does not come with Fulmar and is not installed. Run: npm install -D "fulmar-compiler@^0.1.0"',
  );
});
