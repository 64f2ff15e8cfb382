/** The words of what is told at a terminal, and when it has colours. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeAddress } from '../../src/launch/terminal/start-line.ts';
import { describeWaiting } from '../../src/launch/interactive/waiting.ts';
import { hasColors, paintFor } from '../../src/launch/terminal/paint.ts';

const request = (target: string, method = 'GET'): { method: string; target: string } => ({ method, target });

describe('who is waited for', () => {
  it('is nobody, connections, or requests by name', () => {
    assert.equal(describeWaiting([], 0), undefined);
    assert.equal(describeWaiting([], 1), '1 connection');
    assert.equal(describeWaiting([], 3), '3 connections');
    assert.equal(describeWaiting([request('/a')], 9), '1 request (GET /a)');
    assert.equal(describeWaiting([request('/a'), request('/b', 'POST')], 2), '2 requests (GET /a, POST /b)');
    const many = ['/a', '/b', '/c', '/d', '/e'].map((target) => request(target));
    assert.equal(describeWaiting(many, 5), '5 requests (GET /a, GET /b, GET /c and 2 more)');
  });

  it('does nothing to the terminal, whatever a peer has written', () => {
    const text = describeWaiting([request(`/\u001B[2J\u009B\u0007ü`), request(`/${'a'.repeat(500)}`)], 2) ?? '';
    assert.match(text, /^2 requests \(GET \/\?\[2J\?\?\?, GET \/a{58}…\)$/);
  });
});

it('an address is written as a browser takes it', () => {
  assert.equal(describeAddress({ address: '::', family: 'IPv6', port: 3000 }), '[::]:3000');
  assert.equal(describeAddress({ address: '127.0.0.1', family: 'IPv4', port: 80 }), '127.0.0.1:80');
  assert.equal(describeAddress('/run/app.sock'), '/run/app.sock');
});

describe('colours', () => {
  const cases: [isTTY: boolean, env: NodeJS.ProcessEnv, expected: boolean][] = [
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ];
  for (const [isTTY, env, expected] of cases) {
    it(`are ${expected ? '' : 'not '}there ${isTTY ? 'at a terminal' : 'in a pipe'} with ${JSON.stringify(env)}`, () => {
      assert.equal(hasColors({ isTTY }, env), expected);
    });
  }

  it('change no text', () => {
    const { bold } = paintFor({ isTTY: true });
    // oxlint-disable-next-line no-control-regex -- what colours are made of
    assert.equal(bold('a').replaceAll(/\u001B\[\d+m/g, ''), 'a');
  });
});
