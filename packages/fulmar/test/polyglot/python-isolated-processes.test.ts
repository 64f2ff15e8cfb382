/** Processes of isolated guests: what becomes of calls when one ends, and what several are for. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { GuestError, type IsolatedGuest, type IsolatedOptions, python, withOptions } from '../../src/polyglot/index.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fulmar-isolated-'));
after(() => rmSync(folder, { recursive: true }));
let lastFile = 0;
const newFile = (): string => join(folder, String((lastFile += 1)));

type Call = (...args: readonly unknown[]) => Promise<unknown>;
interface Counter {
  readonly increment: Call;
}
interface Module extends Readonly<
  Record<
    | 'call'
    | 'descriptors'
    | 'die'
    | 'die_after'
    | 'echo'
    | 'end_child'
    | 'increment'
    | 'leave'
    | 'meet'
    | 'pid'
    | 'sleep_through'
    | 'wait_for',
    Call
  >
> {
  readonly Counter: new (start?: number) => Promise<Counter>;
}

const isolated = async (options: IsolatedOptions, run: (module: Module, guest: IsolatedGuest) => Promise<void>): Promise<void> => {
  const guest = python.isolated(options);
  try {
    await run(await guest.import<Module>(fixture('isolated.py')), guest);
  } finally {
    await guest.close({ timeout: 1 });
  }
};

const failing = async (promise: Promise<unknown>, code: string, message: RegExp): Promise<GuestError> => {
  const error = await promise.then(
    (value) => assert.fail(`an error is expected, and it gave ${String(value)}`),
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof GuestError, String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  return error;
};

/** Of large values, on each host in no time. */
const assertSame = (found: readonly unknown[], expected: readonly Uint8Array[]): void => {
  assert.equal(found.length, expected.length);
  for (const [index, bytes] of expected.entries()) assert.equal(Buffer.compare(found[index] as Uint8Array, bytes), 0, `value ${index}`);
};

/** Waits for what comes for sure, on any machine. */
const until = async (isSo: () => boolean | Promise<boolean>, what: string): Promise<void> => {
  const end = performance.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, `${what} is still not so`);
    await pause(10);
  }
};

const isAlive = (pid: unknown): boolean => {
  try {
    // One that nobody has waited for is none.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

test('a process that exits is an error of the call, and another one takes its place', () =>
  isolated({}, async (module) => {
    const counter = await new module.Counter(1);
    const before = await module.pid();
    assert.notEqual(before, process.pid);
    const error = await failing(
      module.leave(3),
      'ERR_GUEST_CRASHED',
      /^the process of python in which the call ran ended with exit code 3$/,
    );
    assert.equal(error.status, 502);
    await failing(counter.increment(), 'ERR_GUEST_HANDLE', /ended/);
    await failing(module.increment(counter), 'ERR_GUEST_HANDLE', /let go of/);
    const now = await module.pid();
    assert.notEqual(now, before);
    assert.equal(await (await new module.Counter(1)).increment(), 2);
  }));

test('a process that a signal ends is one too', () =>
  isolated({}, async (module) => {
    await failing(module.die('SIGSEGV'), 'ERR_GUEST_CRASHED', /was ended by signal 11 \(SIGSEGV\)$/);
    await failing(module.die('SIGABRT'), 'ERR_GUEST_CRASHED', /was ended by signal 6 \(SIGABRT\)$/);
    assert.equal(await module.echo(1), 1);
  }));

test('calls that had begun are lost with it, those that waited are not', () =>
  isolated({ threads: 1 }, async (module) => {
    const file = newFile();
    const bytes = new Uint8Array(200_000).fill(7);
    const lost = module.die_after(file);
    const waiting = Promise.all([module.pid(), module.echo(bytes), module.call((value: number) => value + 1, 41), module.pid()]);
    bytes.fill(8);
    writeFileSync(file, '');
    await failing(lost, 'ERR_GUEST_CRASHED', /SIGKILL/);
    const [first, same, answer, last] = await waiting;
    assert.equal(first, last);
    assert.deepEqual(same, new Uint8Array(200_000).fill(7));
    assert.equal(answer, 42);
  }));

test('a process that is ended while it has nothing to do is replaced', () =>
  isolated({}, async (module) => {
    for (let round = 0; round < 5; round += 1) {
      const before = (await module.pid()) as number;
      process.kill(before, 'SIGKILL');
      assert.notEqual(await module.pid(), before);
    }
  }));

test('SIGTERM lets the calls end that run', () =>
  isolated({}, async (module) => {
    const file = newFile();
    const before = (await module.pid()) as number;
    const running = module.wait_for(file);
    // It has begun when another one has, which comes behind it.
    assert.equal(await module.pid(), before);
    process.kill(before, 'SIGTERM');
    process.kill(before, 'SIGINT');
    writeFileSync(file, '');
    assert.equal(await running, before);
    await until(async () => (await module.pid()) !== before, 'another process');
  }));

test('a module that ends its process while it is loaded is an error of its import', () =>
  isolated({}, async (module, guest) => {
    for (let round = 0; round < 2; round += 1)
      await failing(guest.import(fixture('crashes_on_load.py')), 'ERR_GUEST_CRASHED', /exit code 4/);
    assert.equal(await module.echo(1), 1);
  }));

test('a module that is not there is the same error as in this process', () =>
  isolated({}, async (_module, guest) => {
    const error = await failing(guest.import('no_such_module'), 'ERR_GUEST_EXCEPTION', /no_such_module/);
    assert.equal(error.class, 'ModuleNotFoundError');
  }));

test('a call that goes on when it was given up takes its process along', () =>
  isolated({ grace: 100 }, async (module) => {
    const before = await module.pid();
    const other = module.sleep_through(300);
    const file = newFile();
    const controller = new AbortController();
    const call = assert.rejects(withOptions(module, { signal: controller.signal }).sleep_through(300, file), { name: 'AbortError' });
    // One that waits is only forgotten.
    await until(() => existsSync(file), 'the call begins');
    controller.abort();
    await call;
    await failing(other, 'ERR_GUEST_CRASHED', /was ended: a call that was given up went on for 100 ms$/);
    assert.notEqual(await module.pid(), before);
  }));

test('a call that ends when it was given up does not', () =>
  isolated({ threads: 1, grace: 60_000 }, async (module, guest) => {
    const before = await module.pid();
    const file = newFile();
    const first = module.wait_for(file);
    // One that runs, and one that waits: of both it is known that they are no more.
    await failing(withOptions(module, { timeout: 1 }).pid(), 'ERR_GUEST_TIMEOUT', /1 ms/);
    writeFileSync(file, '');
    assert.equal(await first, before);
    await failing(guest.eval('[x for x in iter(int, 1)]', { timeout: 20 }) as Promise<unknown>, 'ERR_GUEST_TIMEOUT', /20 ms/);
    assert.equal(await module.pid(), before);
  }));

test('two processes compute at the same time', () =>
  isolated({ processes: 2 }, async (module, guest) => {
    await guest.start();
    const [one, two] = [newFile(), newFile()];
    const pids = await Promise.all([module.meet(one, two), module.meet(two, one)]);
    assert.equal(new Set(pids).size, 2);
  }));

test('calls of an object, and calls that are given it, go to its process', () =>
  isolated({ processes: 2 }, async (module, guest) => {
    await guest.start();
    const [file, first] = [newFile(), await new module.Counter(0)];
    // While the first process has something to do, the second one is taken.
    const running = module.wait_for(file);
    const others = await Promise.all([new module.Counter(10), new module.Counter(10)]);
    for (let round = 1; round <= 4; round += 1) {
      assert.equal(await module.increment(first), round);
      for (const other of others) assert.equal(await module.increment(other), 10 + round);
    }
    writeFileSync(file, '');
    await running;
    const outcomes = await Promise.allSettled(others.map((other) => module.increment(first, other)));
    for (const outcome of outcomes.filter((one) => one.status === 'rejected')) assert.match(String(outcome.reason), /each has its own/);
    assert.ok(
      outcomes.some((one) => one.status === 'rejected'),
      'the second process had an object',
    );
    await failing(module.echo(module), 'ERR_GUEST_VALUE', /give its name/);
  }));

test('large values go there and back', () =>
  isolated({}, async (module) => {
    const bytes = new Uint8Array(100_000_000);
    for (let at = 0; at < bytes.length; at += 4_096) bytes[at] = at / 4_096;
    const back = (await module.echo(bytes)) as Uint8Array;
    assert.equal(Buffer.compare(back, bytes), 0);
    const text = 'ü'.repeat(10_000_000);
    assert.equal((await module.echo(text)) === text, true);
    const many = Array.from({ length: 500 }, (_, index) => new Uint8Array(20_000).fill(index));
    assertSame((await module.echo(many)) as unknown[], many);
  }));

test('many large values wait without taking as many descriptors', () =>
  isolated({ threads: 1 }, async (module) => {
    const file = newFile();
    const before = readdirSync('/proc/self/fd').length;
    const running = module.wait_for(file);
    const given = Array.from({ length: 150 }, (_, index) => new Uint8Array(70_000).fill(index));
    const echoed = Promise.all(given.map((bytes) => module.echo(bytes)));
    assert.ok(readdirSync('/proc/self/fd').length - before < 70);
    writeFileSync(file, '');
    await running;
    assertSame(await echoed, given);
  }));

test('as many calls wait as may', () =>
  isolated({ threads: 1, queue: 2 }, async (module) => {
    const file = newFile();
    const running = module.wait_for(file);
    const calls = Array.from({ length: 5 }, () => module.echo(1));
    await failing(Promise.all(calls), 'ERR_GUEST_BUSY', /^2 calls of python wait, as many as may \(queue\)/);
    writeFileSync(file, '');
    await running;
    // Two of them wait still.
    await Promise.allSettled(calls);
    assert.equal(await module.echo(1), 1);
  }));

test('what the process starts can be ended', () =>
  isolated({}, async (module) => {
    assert.equal(await module.end_child(), -15);
  }));

test('the process has nothing of ours open', () =>
  isolated({}, async (module) => {
    const open = ((await module.descriptors()) as string[]).filter(
      (name) => !/^\/proc\/|\/memfd:fulmar-guest-begun|^anon_inode:\[eventfd\]/.test(name),
    );
    assert.equal(open.length, 1, open.join());
    assert.match(open.join(), /^socket:/);
  }));

test('what is closed ends, and says so', async () => {
  const guest = python.isolated({ processes: 2 });
  const module = await guest.import<Module>(fixture('isolated.py'));
  const file = newFile();
  const [pid, running] = [await module.pid(), module.wait_for(file)];
  const closed = guest.close();
  await failing(module.pid(), 'ERR_GUEST_UNAVAILABLE', /were closed/);
  writeFileSync(file, '');
  assert.equal(await running, pid);
  await closed;
  await until(() => !isAlive(pid), 'the end of the process');
  const unused = python.isolated();
  await unused.close();
  await failing(unused.describe() as Promise<unknown>, 'ERR_GUEST_UNAVAILABLE', /closed/);
});

test('what is closed while it starts ends, too', async () => {
  const guest = python.isolated();
  const lost = failing(guest.eval('__import__("os").getpid()') as Promise<unknown>, 'ERR_GUEST_UNAVAILABLE', /has ended|was closed/);
  await guest.close({ timeout: 1 });
  await lost;
});

test('a call that does not end in time is lost with what is closed', async () => {
  const guest = python.isolated();
  const module = await guest.import<Module>(fixture('isolated.py'));
  const pid = await module.pid();
  const running = module.sleep_through(60);
  const lost = failing(running, 'ERR_GUEST_UNAVAILABLE', /was closed/);
  await guest.close({ timeout: 10 });
  await lost;
  await until(() => !isAlive(pid), 'the end of the process');
});

test('those that are asked for with an import are shared', async () => {
  const own = await python.import<Module>(fixture('isolated.py'), { isolated: true });
  const same = await python.import<Module>(fixture('isolated.py'), { isolated: { processes: 1 } });
  const other = await python.import<Module>(fixture('isolated.py'), { isolated: { grace: 1_000 } });
  assert.notEqual(await own.pid(), process.pid);
  assert.equal(await own.pid(), await same.pid());
  assert.notEqual(await own.pid(), await other.pid());
});

test('options that are none are refused', async () => {
  assert.throws(() => python.isolated({ process: 2 } as object), /did you mean processes\?/);
  assert.throws(() => python.isolated({ processes: 0 }), /processes is a whole number from 1 to 256, and this is 0/);
  const guest = python.isolated();
  assert.throws(() => guest.import('os', { isolated: true }), /isolated already/);
  await guest.close();
});

test('ten thousand calls with processes that end leave nothing behind', () =>
  isolated({ processes: 2 }, async (module, guest) => {
    await guest.start();
    const descriptors = (): number => readdirSync('/proc/self/fd').length;
    const round = async (): Promise<void> => {
      const calls = Array.from({ length: 500 }, (_, index) => module.call((value: number) => value, index));
      await Promise.all(calls);
      await Promise.all([
        failing(module.leave(1), 'ERR_GUEST_CRASHED', /exit code 1/),
        failing(module.leave(1), 'ERR_GUEST_CRASHED', /exit code 1/),
      ]);
    };
    await round();
    await guest.start();
    await module.pid();
    const before = descriptors();
    for (let count = 0; count < 19; count += 1) await round();
    // The last ones are being started again.
    await until(() => descriptors() <= before, `${before} descriptors`);
    assert.equal(await module.echo(1), 1);
  }));
