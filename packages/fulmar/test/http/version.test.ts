/** The mark that tells Fulmar's http module from Node's. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import nodeHttp from 'node:http';
import { test } from 'node:test';
import { api } from '../../src/http/api.ts';

test('marks the module with the version of the package, out of sight of enumeration', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  const mark = Symbol.for('fulmar.version');
  assert.equal(Reflect.get(api, mark), version);
  assert.equal(Object.getOwnPropertyDescriptor(api, mark)?.enumerable, false);
  assert.equal(Reflect.get(nodeHttp, mark), undefined);
});
