/** The address of the inspector in Node's options, and the ports of workers after it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InspectorPorts, readInspectorAddress } from '../src/run/inspector-ports.ts';

describe('the address of the inspector', () => {
  const cases: [flags: string[], isOpen: boolean, host: string | undefined, port: number | undefined][] = [
    [['--inspect'], true, undefined, undefined],
    [['--inspect=9300'], true, undefined, 9300],
    [['--inspect=0'], true, undefined, 0],
    [['--inspect=0.0.0.0'], true, '0.0.0.0', undefined],
    [['--inspect-brk=localhost:9300'], true, 'localhost', 9300],
    [['--inspect-wait=[::1]:9300'], true, '::1', 9300],
    [['--inspect-port', '9300'], false, undefined, 9300],
    [['--inspect=host:1', '--inspect-port=9300'], true, 'host', 9300],
    [['--inspect-publish-uid=http', '--expose-gc'], false, undefined, undefined],
  ];
  for (const [flags, isOpen, host, port] of cases) {
    it(`is read as Node reads it: ${flags.join(' ')}`, () => assert.deepEqual(readInspectorAddress(flags), { isOpen, host, port }));
  }
});

describe('the ports of workers', () => {
  it('follow that of the primary, and are given again when they are free', () => {
    const before = process.debugPort;
    try {
      const ports = new InspectorPorts(['--inspect-port=9400']);
      const workers = [{}, {}];
      const given = workers.map((worker) => {
        const port = ports.next();
        ports.give(worker);
        return port;
      });
      assert.deepEqual(given, [9401, 9402]);
      assert.equal(ports.next(), 9403);
      ports.takeBack(workers[0] ?? {});
      assert.equal(ports.next(), 9401);
    } finally {
      process.debugPort = before;
    }
  });
});
