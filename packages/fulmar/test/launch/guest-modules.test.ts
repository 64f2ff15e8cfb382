/** What stands for an imported file of another language, and which sources import one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestModule, importsGuests } from '../../src/launch/modules/guest-modules.ts';

test('imports of files of other languages are told from calls of methods of that name', () => {
  const imports = [
    "import model from './model.py'",
    'import "../a/b.rb"',
    "await import('./x.py')",
    "export { default } from './Model.java'",
  ];
  for (const source of imports) assert.match(source, importsGuests);
  const others = ["python.import('./model.py')", "import model from './model.ts'", "open('./model.py')", "from './a'\n'b.py'"];
  for (const source of others) assert.doesNotMatch(source, importsGuests);
});

test('a path is written as a string, whatever it holds', () => {
  const source = guestModule(`/a/"b\n'/model.py`, 'module', '/dist/cli.cjs');
  assert.equal(source, `import { Polyglot } from "file:///dist/polyglot.mjs";\nexport default Polyglot.import("/a/\\"b\\n'/model.py");\n`);
  assert.equal(
    guestModule('/m.py', 'commonjs', '/dist/cli.cjs'),
    'module.exports = require("/dist/polyglot.cjs").Polyglot.import("/m.py");\n',
  );
});
