import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutLoading } from '../passes/leave-out-node.mjs';

const LAZY = "/** Parts. */\nimport serve_ from './serve.ts';\n\nexport const serve = (): typeof serve_ => serve_;\n";

test('what would be loaded says that it is not there', async () => {
  const code = withoutLoading(LAZY);
  assert.doesNotMatch(code, /import|serve_/);
  const { serve } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { serve: () => unknown };
  assert.throws(serve, /nothing of Node here: an app cannot listen on a port/);
});

test('no line moves', () => {
  assert.equal(withoutLoading(LAZY).split('\n').length, LAZY.split('\n').length);
});

test('another form than the known one fails the build', () => {
  assert.throws(() => withoutLoading("import { a } from './a.ts';\nexport const b = () => a;"), /neither an import nor a function/);
  assert.throws(() => withoutLoading('export function serve() { return 1; }'), /neither an import nor a function/);
});
