/** Signals: the default action while nobody listens, events while somebody does. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onNative, onNode } from './support.ts';

/** Sends the signals one after the other: each when the script has written another line. */
function sends(...signals: NodeJS.Signals[]): NonNullable<Parameters<typeof onNative>[1]> {
  let sent = 0;
  return {
    onOutput: (child, stdout) => {
      while (sent < signals.length && sent < stdout.split('\n').length - 1) child.kill(signals[sent++]);
    },
  };
}

const ALIVE = 'setInterval(() => {}, 1000);';

describe('signals', { concurrency: 2 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const) {
    test(`${signal} ends a process that does not listen`, async () => {
      const text = `${ALIVE} console.log('ready')`;
      const [node, native] = await Promise.all([onNode(text, sends(signal)), onNative(text, sends(signal))]);
      assert.deepEqual([native.code, native.signal], [null, signal]);
      assert.deepEqual([native.code, native.signal], [node.code, node.signal]);
    });

    test(`${signal} is an event for who listens`, async () => {
      const text = `${ALIVE} process.on('${signal}', (...args) => { console.log(JSON.stringify(args)); process.exit(3) }); console.log('ready')`;
      const [node, native] = await Promise.all([onNode(text, sends(signal)), onNative(text, sends(signal))]);
      assert.equal(native.stdout, node.stdout);
      assert.equal(native.code, 3);
    });
  }

  test('the default action is back when the last listener is gone', async () => {
    const text = `${ALIVE} const f = () => { process.off('SIGTERM', f); console.log('heard') }; process.on('SIGTERM', f); console.log('ready')`;
    const native = await onNative(text, sends('SIGTERM', 'SIGTERM'));
    assert.deepEqual([native.stdout, native.signal], ['ready\nheard\n', 'SIGTERM']);
  });

  test('a listener that comes again hears again', async () => {
    const text = `${ALIVE} const f = () => { process.off('SIGTERM', f); process.on('SIGTERM', () => { console.log('again'); process.exit() }); console.log('heard') }; process.on('SIGTERM', f); console.log('ready')`;
    const native = await onNative(text, sends('SIGTERM', 'SIGTERM'));
    assert.deepEqual([native.stdout, native.code], ['ready\nheard\nagain\n', 0]);
  });

  test('a signal that is listened to does not keep the process alive', async () => {
    const native = await onNative("process.on('SIGTERM', () => {}); console.log('ready')");
    assert.deepEqual([native.stdout, native.code], ['ready\n', 0]);
  });

  test('SIGKILL cannot be listened to', async () => {
    const text = "try { process.on('SIGKILL', () => {}) } catch (error) { console.log(error.message, error.code, error.syscall) }";
    const [node, native] = await Promise.all([onNode(text), onNative(text)]);
    assert.equal(native.stdout, node.stdout);
  });

  test('SIGPIPE is ignored', async () => {
    const native = await onNative("process.kill(process.pid, 'SIGPIPE'); setTimeout(() => console.log('alive'), 1)");
    assert.deepEqual([native.stdout, native.code], ['alive\n', 0]);
  });
});
