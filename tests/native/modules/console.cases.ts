import console, { Console } from 'node:console';
import { cases } from '../harness/cases.ts';

type Print = InstanceType<typeof Console>;

/** What a console writes, with `E:` before what goes to standard error. */
function written(print: (own: Print) => void, options: object = {}): string[] {
  const lines: string[] = [];
  const sink = (prefix: string): object => ({
    write: (text: string) => lines.push(prefix + text),
    listenerCount: () => 0,
    once() {},
    removeListener() {},
  });
  try {
    print(new Console({ stdout: sink('') as never, stderr: sink('E:') as never, ...options }));
  } catch (error) {
    const { name, message } = error as Error;
    lines.push(`${name}: ${message}`);
  }
  return lines.map((line) => line.replace(/\d+(\.\d+)?m?s/g, 'N').split('\n    at')[0] as string);
}

const table = (...args: [unknown, string[]?]): string[] => written((own) => own.table(...args));

export default cases(
  'console',
  {
    Console: [
      () => [console instanceof Console, ({} as object) instanceof Console, Object.keys(new Console({ stdout: process.stdout })).length],
      () => new Console({ stdout: 5 as never }),
      () => new Console({ stdout: process.stdout, colorMode: 'x' as never }),
      () => new Console({ stdout: process.stdout, groupIndentation: -1 }),
      () => new Console({ stdout: process.stdout, inspectOptions: 5 as never }),
      () => new Console({ stdout: process.stdout, colorMode: true, inspectOptions: { colors: true } }),
      () => written((own) => own.log({ a: 1 }, 'x', 5), { colorMode: true }),
      () => written((own) => own.log({ a: { b: 1 } }), { inspectOptions: { depth: 0 } }),
      () => written(({ log }) => log('unbound')),
    ],
    log: [() => written((own) => (own.log('a %s', 1, { a: 1 }), own.log(), own.log(1, true, null, undefined))), () => typeof console.log],
    info: [() => written((own) => own.info('i'))],
    debug: [() => written((own) => own.debug('d'))],
    warn: [() => written((own) => own.warn({ a: { b: { c: {} } } }))],
    error: [() => written((own) => own.error('e %d', 5))],
    dir: [() => written((own) => own.dir({ a: { b: 1 } }, { depth: 0 }))],
    dirxml: [() => written((own) => own.dirxml(1, 2))],
    group: [
      () =>
        written((own) => {
          own.group('G');
          own.log('in\nner');
          own.group();
          own.log('x');
          own.groupEnd();
          own.groupEnd();
          own.groupEnd();
          own.log('out');
        }),
      () => written((own) => (own.group(), own.log('q')), { groupIndentation: 4 }),
    ],
    groupCollapsed: [() => written((own) => (own.groupCollapsed('g'), own.log('x')))],
    groupEnd: [() => written((own) => (own.groupEnd(), own.log('x')))],
    count: [() => written((own) => (own.count(), own.count('a'), own.count()))],
    countReset: [() => written((own) => (own.count(), own.countReset(), own.count()))],
    assert: [
      () => written((own) => (own.assert(true, 'no'), own.assert(false, 'yes %s', 1), own.assert(false, { a: 1 }), own.assert(false))),
    ],
    table: [
      () => [
        table([
          { a: 1, b: 'x' },
          { a: 2, c: true },
        ]),
        table([
          [1, 2],
          [3, 4],
        ]),
        table([1, 'a', { q: 1 }]),
        table(5),
      ],
      () => [
        table(
          new Map<string, unknown>([
            ['a', 1],
            ['b', { c: 2 }],
          ]),
        ),
        table(new Set([1, 'x'])),
        table([{ a: 1, b: 2 }], ['b']),
        table([]),
      ],
      () => [table({ x: { y: 1 }, z: { y: 2 } }), table([{ n: '日本' }]), table([], 5 as never)],
    ],
    time: [() => written((own) => (own.time('t'), own.timeEnd('t')))],
    timeLog: [() => written((own) => (own.time('t'), own.timeLog('t', 'data')))],
    timeEnd: [() => written((own) => (own.time(), own.timeEnd()))],
    trace: [() => written((own) => own.trace('here %s', 1))],
    clear: [() => written((own) => own.clear())],
    profile: [() => console.profile()],
    profileEnd: [() => console.profileEnd()],
    timeStamp: [() => console.timeStamp()],
    context: [() => typeof (console as unknown as Record<string, unknown>)['context']],
    createTask: [() => typeof (console as unknown as Record<string, unknown>)['createTask']],
  },
  { since: { createTask: 26, assert: 24 } },
);
