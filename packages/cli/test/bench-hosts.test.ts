import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fulmarHost, stockHost } from '../src/bench/hosts.ts';

const program = { file: '/app/server.js', args: [], binFile: '/own/bin/fulmar.cjs' };

test('measures stock Node where NODE_OPTIONS loads fulmar/register', () => {
  assert.deepEqual(stockHost(program).env, { FULMAR_NO_ALIAS: '1' });
  assert.equal(fulmarHost(program).env, undefined);
});
