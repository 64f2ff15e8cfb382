import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutLoading } from '../passes/leave-out-node.mjs';

const LAZY = "/** Parts. */\nimport serve_ from './serve.ts';\n\nexport const serve = (): typeof serve_ => serve_;\n";

const none = (): boolean => false;

test('what would be loaded says that it is not there', async () => {
  const code = withoutLoading(LAZY, none);
  assert.doesNotMatch(code, /import|serve_/);
  const { serve } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { serve: () => unknown };
  assert.throws(serve, /nothing of Node here/);
});

test('no line moves', () => {
  assert.equal(withoutLoading(LAZY, none).split('\n').length, LAZY.split('\n').length);
});

test('another form than the known one fails the build', () => {
  assert.throws(() => withoutLoading("import { a } from './a.ts';\nexport const b = () => a;", none), /neither an import nor a function/);
  assert.throws(() => withoutLoading('export function serve() { return 1; }', none), /neither an import nor a function/);
});

test('a file for such hosts stands in', () => {
  const code = withoutLoading(LAZY, (path: string) => path === './serve-edge.ts');
  assert.equal(code, LAZY.replace('./serve.ts', './serve-edge.ts'));
});

const LIBRARIES =
  "import accepts_ from 'accepts';\nimport iconv_ from 'iconv-lite';\n\nexport const accepts = () => accepts_;\nexport const iconv = () => iconv_;\n";

test('a library that needs nothing of Node stays', () => {
  const code = withoutLoading(LIBRARIES, none, ['accepts']);
  assert.match(code, /^import accepts_ from 'accepts';$/m);
  assert.match(code, /^export const accepts = \(\) => accepts_;$/m);
  assert.doesNotMatch(code, /iconv_/);
});
