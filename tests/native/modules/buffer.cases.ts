import buffer, { Buffer as NodeBuffer } from 'node:buffer';
import { cases } from '../harness/cases.ts';

type Numbers = Record<string, (...args: unknown[]) => unknown>;

const sample = (): Buffer => Buffer.from('héllo wörld €😀');
const encodings = ['utf8', 'latin1', 'ascii', 'ucs2', 'hex', 'base64', 'base64url', 'UTF-8'] as BufferEncoding[];

/** What a call gives or throws. */
function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    return [name, code, message];
  }
}

const bytes = (): Numbers => Buffer.from([1, 2, 3, 4, 5, 6, 7, 0xf8]) as unknown as Numbers;
const numberNames = ['BigInt64', 'BigUInt64', 'Double', 'Float', 'Int', 'Int16', 'Int32', 'UInt', 'UInt16', 'UInt32'].flatMap((name) =>
  [`${name}LE`, `${name}BE`].flatMap((full) => (full.includes('UInt') ? [full, full.replace('UInt', 'Uint')] : [full])),
);
const suffixes = [...numberNames, 'Int8', 'UInt8', 'Uint8'];
const isVariable = (name: string): boolean => /^(?:U[iI]|I)nt(?:LE|BE)$/.test(name);

const reads = Object.fromEntries(
  suffixes.map((suffix) => [
    `Buffer#read${suffix}`,
    [
      () => {
        const name = `read${suffix}`;
        const calls: unknown[][] = isVariable(suffix)
          ? [
              [0, 1],
              [1, 3],
              [0, 6],
              [0, 7],
              [undefined, 2],
              [7, 2],
              ['1', 2],
            ]
          : [[], [0], [100], ['1'], [1.5], [-1]];
        return [
          ...calls.map((args) => outcome(() => bytes()[name]?.(...args))),
          outcome(() => (Buffer.alloc(0) as unknown as Numbers)[name]?.(0, 1)),
        ];
      },
    ],
  ]),
);
const writes = Object.fromEntries(
  suffixes.map((suffix) => [
    `Buffer#write${suffix}`,
    [
      () => {
        const name = `write${suffix}`;
        const big = suffix.startsWith('Big');
        const values: unknown[] = big ? [5n, -1n, 2n ** 65n] : [5, -1, 2 ** 50, '7', NaN, 1.7];
        const rest: unknown[][] = isVariable(suffix)
          ? [
              [0, 1],
              [1, 6],
              [0, 7],
              [8, 2],
            ]
          : [[], [1], [100], ['1']];
        return values.flatMap((value) =>
          rest.map((args) =>
            outcome(() => {
              const target = Buffer.alloc(9);
              return [(target as unknown as Numbers)[name]?.(value, ...args), target];
            }),
          ),
        );
      },
    ],
  ]),
);
const texts = Object.fromEntries(
  ['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8'].flatMap((encoding) => [
    [
      `Buffer#${encoding}Slice`,
      [() => [(sample() as unknown as Numbers)[`${encoding}Slice`]?.(1, 8), (sample() as unknown as Numbers)[`${encoding}Slice`]?.()]],
    ],
    [
      `Buffer#${encoding}Write`,
      [
        () => {
          const target = Buffer.alloc(6);
          return [(target as unknown as Numbers)[`${encoding}Write`]?.('a1b2c3d4', 1, 4), target];
        },
      ],
    ],
  ]),
);

export default cases(
  'buffer',
  {
    ...reads,
    ...writes,
    ...texts,
    Buffer: [
      () => [NodeBuffer === Buffer, Buffer.from('a') instanceof Uint8Array, Buffer.name, Object.prototype.toString.call(Buffer.from('a'))],
      () => [Buffer.from([1, 2]).map((x) => x + 1), Buffer.from([1, 2]).filter((x) => x > 1), [...Buffer.from('ab').entries()]],
    ],
    'Buffer.from': [
      () => [
        Buffer.from('aGk=', 'base64'),
        Buffer.from('_-__', 'base64'),
        Buffer.from('YQ==YQ', 'base64'),
        Buffer.from('a b\nc', 'base64'),
      ],
      () => [
        Buffer.from('abcxyz', 'hex'),
        Buffer.from('abc', 'hex'),
        Buffer.from('é€', 'latin1'),
        Buffer.from('\ud800a'),
        Buffer.from('\ud800', 'ucs2'),
      ],
      () => [
        Buffer.from([1, 2, 300, -1]),
        Buffer.from({ length: 2, 0: 5, 1: 6 } as never),
        Buffer.from(new Uint16Array([1, 256])),
        Buffer.from(new ArrayBuffer(4), 1, 2),
      ],
      () => [
        Buffer.from(new String('x')),
        Buffer.from(JSON.parse(JSON.stringify(Buffer.from('q'))) as never),
        Buffer.from(Buffer.from('copy')),
      ],
      () => [
        outcome(() => Buffer.from(5 as never)),
        outcome(() => Buffer.from(null as never)),
        outcome(() => Buffer.from({} as never)),
        outcome(() => Buffer.from('a', 'nope' as never)),
      ],
      () => [outcome(() => Buffer.from(new ArrayBuffer(4), 5)), outcome(() => Buffer.from(new ArrayBuffer(4), 0, 5))],
    ],
    'Buffer.alloc': [
      () => [
        Buffer.alloc(3),
        Buffer.alloc(3, 'ab'),
        Buffer.alloc(3, 0x41),
        Buffer.alloc(5, 'YQ==', 'base64'),
        Buffer.alloc(2, Buffer.from('x')),
      ],
      () => [outcome(() => Buffer.alloc('5' as never)), outcome(() => Buffer.alloc(5, 'zz', 'hex'))],
    ],
    'Buffer.allocUnsafe': [() => [Buffer.allocUnsafe(5).length, outcome(() => Buffer.allocUnsafe('5' as never))]],
    'Buffer.allocUnsafeSlow': [() => Buffer.allocUnsafeSlow(5).length],
    'Buffer.concat': [
      () => [
        Buffer.concat([Buffer.from('a'), new Uint8Array([66])]),
        Buffer.concat([Buffer.from('abc')], 2),
        Buffer.concat([Buffer.from('abc')], 5),
        Buffer.concat([]),
      ],
      () => [outcome(() => Buffer.concat(['a' as never])), outcome(() => Buffer.concat('a' as never))],
    ],
    'Buffer.byteLength': [
      () => [
        ...encodings.map((encoding) => Buffer.byteLength('aé€=', encoding)),
        Buffer.byteLength(new ArrayBuffer(3)),
        Buffer.byteLength('YQ==', 'base64'),
      ],
      () => Buffer.byteLength(5 as never),
    ],
    'Buffer.compare': [
      () => [Buffer.compare(Buffer.from('a'), Buffer.from('b')), Buffer.compare(Buffer.from('b'), Buffer.from('a'))],
      () => Buffer.compare('a' as never, Buffer.from('')),
    ],
    'Buffer.isBuffer': [() => [Buffer.isBuffer(Buffer.from('')), Buffer.isBuffer(new Uint8Array(1)), Buffer.isBuffer(null)]],
    'Buffer.isEncoding': [() => [...encodings, 'nope', '', 5].map((name) => Buffer.isEncoding(name as string))],
    'Buffer.of': [() => (Buffer as unknown as { of(...items: number[]): Buffer }).of(1, 2, 300)],
    'Buffer.copyBytesFrom': [
      () => [Buffer.copyBytesFrom(new Uint16Array([1, 2, 3]), 1, 1), Buffer.copyBytesFrom(new Uint8Array(2), 5)],
      () => Buffer.copyBytesFrom('a' as never),
    ],
    'Buffer.poolSize': [() => typeof Buffer.poolSize],
    'Buffer#toString': [
      () => encodings.map((encoding) => sample().toString(encoding)),
      () => [
        sample().toString('utf8', -5, 4),
        sample().toString('hex', 1, 4),
        sample().toString('utf8', 100),
        sample().toString(undefined, 2, 1),
      ],
      () => Buffer.from([0xe2, 0x82, 0x41, 0xff, 0xf0, 0x9f, 0x92]).toString(),
      () => sample().toString('nope' as never),
    ],
    'Buffer#toLocaleString': [() => sample().toLocaleString()],
    'Buffer#write': [
      () => {
        const target = Buffer.alloc(6);
        return [
          target.write('abc', 1),
          target.write('ff', 'hex'),
          target.write('zz', 4, 'latin1'),
          target.write('q', 5, 1, 'utf8'),
          target,
        ];
      },
      () => [
        outcome(() => Buffer.alloc(2).write('a', 5)),
        outcome(() => Buffer.alloc(2).write('a', 0, 'nope' as never)),
        Buffer.alloc(4).write('€€'),
      ],
    ],
    'Buffer#toJSON': [() => Buffer.from([1, 2]).toJSON()],
    'Buffer#equals': [() => [sample().equals(sample()), sample().equals(Buffer.from('x'))], () => sample().equals(5 as never)],
    'Buffer#compare': [
      () => [sample().compare(sample()), sample().compare(Buffer.from('hh'), 1, 2, 0, 1), Buffer.from('a').compare(Buffer.from('b'))],
      () => [outcome(() => sample().compare('a' as never)), outcome(() => sample().compare(sample(), 0, 100))],
    ],
    'Buffer#copy': [
      () => {
        const target = Buffer.alloc(5);
        return [sample().copy(target, 1, 2, 4), target, sample().copy(target, 10), target.copy(target, 1, 0, 3), target];
      },
      () => [
        outcome(() => sample().copy(5 as never)),
        outcome(() => sample().copy(Buffer.alloc(1), -1)),
        outcome(() => sample().copy(Buffer.alloc(1), 0, 100)),
      ],
    ],
    'Buffer#fill': [
      () => [
        Buffer.alloc(4).fill('ab'),
        Buffer.alloc(4).fill('a', 1, 3),
        Buffer.alloc(4).fill('é'),
        Buffer.alloc(4).fill(''),
        Buffer.alloc(4).fill(Buffer.from('xy')),
        Buffer.alloc(4).fill('ff', 'hex'),
      ],
      () => [outcome(() => Buffer.alloc(4).fill(1, 5)), outcome(() => Buffer.alloc(4).fill('a', 'nope' as never))],
    ],
    'Buffer#indexOf': [
      () =>
        ['w', 'l', '', 'ö', 'nope', 0x6c, Buffer.from('rl')].map((sought) => [
          sample().indexOf(sought),
          sample().indexOf(sought, 4),
          sample().indexOf(sought, -3),
          sample().indexOf(sought, 100),
        ]),
      () => [
        Buffer.from('abab', 'ucs2').indexOf('b', 'ucs2'),
        Buffer.from('abc').indexOf('Yw==', 0, 'base64'),
        Buffer.from('abc').indexOf('b', undefined),
      ],
      () => sample().indexOf({} as never),
    ],
    'Buffer#lastIndexOf': [
      () =>
        ['l', 'h', 'nope', 0x6c].map((sought) => [
          sample().lastIndexOf(sought),
          sample().lastIndexOf(sought, 3),
          sample().lastIndexOf(sought, -5),
          sample().lastIndexOf(sought, -100),
        ]),
    ],
    'Buffer#includes': [() => [sample().includes('ö'), sample().includes('x'), sample().includes('h', 1)]],
    'Buffer#slice': [
      () => [sample().slice(-4).toString(), sample().slice(1, -1).length, sample().slice('1' as never, 'x' as never).length],
    ],
    'Buffer#subarray': [
      () => {
        const whole = Buffer.from('abcdef');
        const part = whole.subarray(1, 3);
        part[0] = 0x7a;
        return [whole.toString(), part.toString(), part instanceof Buffer, whole.subarray(10).length, whole.subarray(4, 2).length];
      },
    ],
    'Buffer#swap16': [() => [Buffer.from([1, 2, 3, 4]).swap16(), outcome(() => Buffer.from([1]).swap16())]],
    'Buffer#swap32': [() => [Buffer.from([1, 2, 3, 4]).swap32(), outcome(() => Buffer.from([1]).swap32())]],
    'Buffer#swap64': [() => [Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]).swap64(), outcome(() => Buffer.from([1]).swap64())]],
    'Buffer#inspect': [
      () => [(sample() as unknown as { inspect(): string }).inspect(), (Buffer.alloc(60) as unknown as { inspect(): string }).inspect()],
    ],
    'Buffer#parent': [() => (sample() as unknown as { parent: unknown }).parent instanceof ArrayBuffer],
    'Buffer#offset': [() => typeof (sample() as unknown as { offset: unknown }).offset],
    transcode: [
      () => [
        buffer.transcode(Buffer.from('€é'), 'utf8', 'latin1'),
        buffer.transcode(Buffer.from('€'), 'utf8', 'ucs2'),
        buffer.transcode(Buffer.from('é', 'latin1'), 'latin1', 'utf8'),
      ],
      () => buffer.transcode(Buffer.from('€'), 'utf8', 'hex' as never),
      () => buffer.transcode('a' as never, 'utf8', 'latin1'),
    ],
    isUtf8: [() => [buffer.isUtf8(sample()), buffer.isUtf8(Buffer.from([0xff]))], () => buffer.isUtf8('a' as never)],
    isAscii: [() => [buffer.isAscii(sample()), buffer.isAscii(Buffer.from('a'))]],
    atob: [() => [atob('aGk='), atob(' a G k ')], () => atob('*'), () => atob('a'), () => (atob as () => string)()],
    btoa: [() => btoa('hé'), () => btoa('€')],
    kMaxLength: [() => buffer.kMaxLength],
    kStringMaxLength: [() => buffer.kStringMaxLength],
    constants: [() => ({ ...buffer.constants })],
    INSPECT_MAX_BYTES: [
      () => buffer.INSPECT_MAX_BYTES,
      () => {
        (buffer as { INSPECT_MAX_BYTES: unknown }).INSPECT_MAX_BYTES = 'x';
      },
    ],
    SlowBuffer: [() => typeof (buffer as unknown as Record<string, unknown>)['SlowBuffer']],
    Blob: [
      async () => [
        await new buffer.Blob(['a', Buffer.from('b')]).text(),
        new buffer.Blob(['ab']).size,
        new buffer.Blob([], { type: 'A/B' }).type,
      ],
    ],
    File: [
      () => {
        const file = new File(['a'], 'name.txt', { lastModified: 5 });
        return [file.name, file.lastModified, file.size];
      },
    ],
    resolveObjectURL: [
      () => buffer.resolveObjectURL('blob:nodedata:none'),
      async () => {
        const url = URL.createObjectURL(new File(['text'], 'name', { type: 'a/b' }));
        const found = buffer.resolveObjectURL(`${url}?query#fragment`);
        URL.revokeObjectURL(`${url}#fragment`);
        return [found?.constructor.name, found?.type, await found?.text(), buffer.resolveObjectURL(url)];
      },
    ],
  },
  {
    differs: {
      kMaxLength: 'the largest buffer that QuickJS makes is 2 GB',
      kStringMaxLength: "QuickJS's own limit, larger than V8's",
      constants: 'the limits are those of QuickJS',
    },
    since: { SlowBuffer: 25, 'Buffer#lastIndexOf': 26, 'Buffer#indexOf': 26 },
  },
);
