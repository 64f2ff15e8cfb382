/** What is told of a language without starting it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { python } from '../../src/polyglot/index.ts';

const before = process.env['FULMAR_PYTHON'];
const setPython = (file: string | undefined): void => {
  if (file === undefined) delete process.env['FULMAR_PYTHON'];
  else process.env['FULMAR_PYTHON'] = file;
};
after(() => setPython(before));

test('the interpreter that is found, what chose it, and its library', async () => {
  const report = await python.look();
  assert.deepEqual([report.language, report.endings, report.problem], ['python', ['.py'], null]);
  assert.match(report.version ?? '', /^3\.\d+\.\d+$/);
  assert.match(report.library ?? '', /python/);
  setPython(report.executable ?? undefined);
  assert.equal((await python.look()).reason, 'FULMAR_PYTHON');
  assert.equal(python.isStarted, false);
});

test('what is missing, with what to do about it', async () => {
  setPython('/nowhere/python');
  const { problem, version, library } = await python.look();
  assert.match(problem ?? '', /there is no \/nowhere\/python \(FULMAR_PYTHON\)\. Install Python 3\.9 or newer/);
  assert.deepEqual([version, library], [null, null]);
});
