import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddress, compileTrust, forwardedAddresses } from '../../src/web/trust.ts';

const request = (peer: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

test('believes no proxy that it was not told of', () => {
  for (const none of [undefined, false, null, 0]) {
    const trust = compileTrust(none);
    assert.equal(clientAddress(request('10.0.0.1', '1.2.3.4'), trust), '10.0.0.1');
    assert.deepEqual(forwardedAddresses(request('10.0.0.1', '1.2.3.4'), trust), []);
  }
});

test('believes as many proxies, or those addresses, as it was told', () => {
  const behind = request('10.0.0.1', '1.2.3.4, 10.0.0.2');
  const rows: readonly (readonly [unknown, string, readonly string[]])[] = [
    [true, '1.2.3.4', ['1.2.3.4', '10.0.0.2']],
    [1, '10.0.0.2', ['10.0.0.2']],
    [2, '1.2.3.4', ['1.2.3.4', '10.0.0.2']],
    ['10.0.0.0/8', '1.2.3.4', ['1.2.3.4', '10.0.0.2']],
    ['192.168.0.1, 10.0.0.1', '10.0.0.2', ['10.0.0.2']],
    [(address: string) => address === '10.0.0.1', '10.0.0.2', ['10.0.0.2']],
  ];
  for (const [told, client, all] of rows) {
    const trust = compileTrust(told);
    assert.equal(clientAddress(behind, trust), client, String(told));
    assert.deepEqual(forwardedAddresses(behind, trust), all, String(told));
  }
});
