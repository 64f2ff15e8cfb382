import { EventEmitter } from 'node:events';
import stream, { Duplex, PassThrough, Readable, Transform, Writable } from 'node:stream';
import { cases } from '../harness/cases.ts';

const all = stream as unknown as Record<string, (...args: unknown[]) => unknown>;
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function collected(source: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen = [];
  for await (const chunk of source) seen.push(chunk);
  return seen;
}

/** Events in the order they come, until `close`. */
function life(emitter: EventEmitter, ...names: string[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const name of [...names, 'close']) {
    emitter.on(name, (value: unknown) =>
      seen.push(value instanceof Error ? [name, value.message, (value as NodeJS.ErrnoException).code] : name),
    );
  }
  return new Promise((resolve) => emitter.on('close', () => setImmediate(resolve, seen)));
}

const numbers = (): Readable => Readable.from([1, 2, 3, 4]);
const upper = (): Transform => new Transform({ transform: (chunk, _encoding, callback) => callback(null, String(chunk).toUpperCase()) });
const sink = (into: unknown[] = [], options: object = {}): Writable =>
  new Writable({
    ...options,
    write(chunk: unknown, _encoding, callback) {
      into.push(chunk);
      callback();
    },
  });
const failing = (): Writable => new Writable({ write: (_chunk, _encoding, callback) => callback(new Error('cannot')) });
const operators = (name: string): ((...args: unknown[]) => unknown) => {
  const readable = numbers() as unknown as Record<string, (...args: unknown[]) => unknown>;
  return (readable[name] as (...args: unknown[]) => unknown).bind(readable);
};
const state = (of: Readable | Writable): unknown => {
  const keys = [
    'readable',
    'writable',
    'destroyed',
    'closed',
    'errored',
    'readableEnded',
    'readableFlowing',
    'readableLength',
    'readableHighWaterMark',
    'readableObjectMode',
    'readableEncoding',
    'readableAborted',
    'readableDidRead',
    'writableEnded',
    'writableFinished',
    'writableLength',
    'writableHighWaterMark',
    'writableObjectMode',
    'writableCorked',
    'writableNeedDrain',
    'writableAborted',
  ];
  return keys.map((key) => [key, (of as unknown as Record<string, unknown>)[key]]);
};

const readable = {
  Readable: [
    () => state(new Readable({ read() {} })),
    () => new Readable({ highWaterMark: -1 }),
    () => {
      const made = new Readable();
      const end = life(made, 'error');
      made.read();
      return end;
    },
    async () => {
      const made = new Readable({ read() {} });
      made.push('a');
      made.push('b');
      made.push(null);
      return [made.read(1), await collected(made), state(made)];
    },
    async () => {
      const made = new Readable({ read() {}, encoding: 'utf8' });
      made.push(Buffer.from([0xc3]));
      made.push(Buffer.from([0xa9]));
      made.push(null);
      return collected(made);
    },
    () => {
      const made = new Readable({ read() {} });
      made.push(null);
      made.push('x');
      return life(made, 'error');
    },
    () => {
      const made = new Readable({ read() {} });
      made.push(5 as never);
      return life(made, 'error');
    },
    () => {
      const made = new Readable({
        read() {
          this.push('x');
          this.push(null);
        },
      });
      const end = life(made, 'data', 'end');
      return end;
    },
    () => {
      const made = new Readable({
        read() {},
        construct: (callback) => setImmediate(callback),
        destroy: (error, callback) => callback(error),
      });
      const end = life(made, 'error', 'end');
      made.destroy(new Error('gone'));
      return end;
    },
    () => Readable.call(Object.create(Readable.prototype) as never, {}),
  ],
  'Readable.from': [
    () => collected(Readable.from(['a', 'b'])),
    () => collected(Readable.from('text')),
    () => collected(Readable.from(Buffer.from('bytes'))),
    () =>
      collected(
        Readable.from(
          (async function* () {
            yield 1;
            throw new Error('broken');
          })(),
        ),
      ),
    () => Readable.from(5 as never),
    () => collected(Readable.from([1, null as never])),
    () => collected(Readable.from(new Map([[1, 2]]))),
  ],
  'Readable.wrap': [
    async () => {
      const old = new EventEmitter() as EventEmitter & { pause(): void; resume(): void };
      old.pause = () => {};
      old.resume = () => {};
      const made = (Readable as unknown as { wrap(old: unknown): Readable }).wrap(old);
      setImmediate(() => {
        old.emit('data', 'o');
        old.emit('end');
      });
      return collected(made);
    },
  ],
  'Readable.fromWeb': [
    async () =>
      collected(
        Readable.fromWeb(
          new ReadableStream({
            start(controller) {
              controller.enqueue('w');
              controller.close();
            },
          }) as never,
          { objectMode: true },
        ),
      ),
    () => Readable.fromWeb(5 as never),
  ],
  'Readable.toWeb': [async () => collected(Readable.toWeb(Readable.from(['n', 'o'])) as never), () => Readable.toWeb(5 as never)],
  'Readable.ReadableState': [() => typeof (Readable as unknown as Record<string, unknown>)['ReadableState']],
  'Readable._fromList': [() => typeof (Readable as unknown as Record<string, unknown>)['_fromList']],
  'Readable#destroy': [
    () => {
      const made = numbers();
      const end = life(made, 'error', 'end');
      made.destroy();
      return end;
    },
    () => {
      const made = numbers();
      const end = life(made, 'error');
      made.destroy(new Error('x')).destroy(new Error('y'));
      return end;
    },
  ],
  'Readable#push': [
    () => {
      const made = new Readable({ read() {}, highWaterMark: 3 });
      return [made.push('ab'), made.push('c'), made.readableLength];
    },
  ],
  'Readable#unshift': [
    async () => {
      const made = new Readable({ read() {} });
      made.push('b');
      made.unshift('a');
      made.push(null);
      return (await collected(made)).map(String).join('');
    },
  ],
  'Readable#isPaused': [
    () => {
      const made = numbers();
      const before = made.isPaused();
      made.pause();
      return [before, made.isPaused(), made.resume().isPaused()];
    },
  ],
  'Readable#setEncoding': [
    async () => collected(Readable.from(Buffer.from('é')).setEncoding('hex')),
    () => numbers().setEncoding('bad' as never),
  ],
  'Readable#read': [
    () => {
      const made = new Readable({ read() {} });
      made.push('abcdef');
      return [made.read(0), String(made.read(2)), String(made.read()), made.read(9)];
    },
  ],
  'Readable#pipe': [
    async () => {
      const into: unknown[] = [];
      const end = sink(into);
      numbers()
        .map((n: number) => String(n))
        .pipe(end);
      await life(end, 'finish');
      return into.map(String);
    },
    async () => {
      const end = sink();
      const seen = life(end, 'pipe', 'unpipe', 'finish');
      Readable.from(['x']).pipe(end);
      return seen;
    },
    async () => {
      const end = sink();
      Readable.from(['x']).pipe(end, { end: false });
      await tick();
      await tick();
      return end.writableEnded;
    },
  ],
  'Readable#unpipe': [
    async () => {
      const source = numbers();
      const end = sink([], { objectMode: true });
      source.pipe(end);
      source.unpipe(end);
      return [source.isPaused(), source.listenerCount('data')];
    },
  ],
  'Readable#on': [
    () => {
      const made = numbers();
      made.on('data', () => {});
      const flowing = made.readableFlowing;
      return [flowing, numbers().on('readable', () => {}).readableFlowing];
    },
  ],
  'Readable#addListener': [() => Readable.prototype.addListener === Readable.prototype.on],
  'Readable#removeListener': [
    async () => {
      const made = numbers();
      const listener = (): void => {};
      made.on('readable', listener).removeListener('readable', listener);
      await tick();
      return made.readableFlowing;
    },
  ],
  'Readable#off': [() => Readable.prototype.off === Readable.prototype.removeListener],
  'Readable#removeAllListeners': [
    async () => {
      const made = numbers();
      made.on('readable', () => {}).removeAllListeners();
      await tick();
      return [made.readableFlowing, made.listenerCount('readable')];
    },
  ],
  'Readable#resume': [() => life(numbers().resume(), 'end', 'resume')],
  'Readable#pause': [
    async () => {
      const made = numbers();
      const seen: unknown[] = [];
      made.on('data', (n) => {
        seen.push(n);
        made.pause();
      });
      await tick();
      await tick();
      return seen;
    },
  ],
  'Readable#iterator': [
    async () => {
      const made = numbers();
      for await (const n of made.iterator({ destroyOnReturn: false })) if (n === 2) break;
      return [made.destroyed, await collected(made)];
    },
  ],
  'Readable#compose': [
    async () =>
      (await collected((Readable.from(['a', 'b']) as unknown as { compose(s: unknown): AsyncIterable<unknown> }).compose(upper())))
        .map(String)
        .join(''),
  ],
  'Readable#map': [() => operators('map')((n: number) => n * 2) && collected(numbers().map((n: number) => n * 2))],
  'Readable#filter': [() => collected(numbers().filter((n: number) => n % 2 === 0))],
  'Readable#flatMap': [() => collected(numbers().flatMap((n: number) => [n, n]))],
  'Readable#drop': [() => collected(numbers().drop(2)), () => numbers().drop(-1)],
  'Readable#take': [() => collected(numbers().take(2))],
  'Readable#every': [() => numbers().every((n: number) => n > 0), () => numbers().every((n: number) => n > 2)],
  'Readable#some': [() => numbers().some((n: number) => n > 3)],
  'Readable#find': [() => numbers().find((n: number) => n > 2)],
  'Readable#forEach': [
    async () => {
      let sum = 0;
      await numbers().forEach((n: number) => void (sum += n));
      return sum;
    },
  ],
  'Readable#reduce': [
    () => numbers().reduce((sum: number, n: number) => sum + n),
    () => numbers().reduce((sum: number, n: number) => sum + n, 10),
    () =>
      Readable.from([])
        .reduce((a: number) => a)
        .catch(({ name, message, code }: NodeJS.ErrnoException) => [name, message, code]),
  ],
  'Readable#toArray': [() => numbers().toArray(), () => numbers().toArray({ signal: AbortSignal.abort() })],
  'Readable#wrap': [() => typeof Readable.prototype.wrap],
  'Readable#_read': [() => new Readable()._read(1)],
  'Readable#_destroy': [() => new Promise((resolve) => new Readable()._destroy(null, (error) => resolve(error)))],
  'Readable#_undestroy': [() => typeof (Readable.prototype as unknown as Record<string, unknown>)['_undestroy']],
  ...Object.fromEntries(
    [
      'readable',
      'readableDidRead',
      'readableAborted',
      'readableHighWaterMark',
      'readableBuffer',
      'readableFlowing',
      'readableLength',
      'readableObjectMode',
      'readableEncoding',
      'errored',
      'closed',
      'destroyed',
      'readableEnded',
    ].map((name) => [
      `Readable#${name}`,
      [
        async () => {
          const made = numbers();
          const before = (made as unknown as Record<string, unknown>)[name];
          await collected(made);
          await tick();
          const plain = (value: unknown): unknown =>
            typeof value === 'object' && value !== null && 'length' in value ? value.length : value;
          return [plain(before), plain((made as unknown as Record<string, unknown>)[name])];
        },
      ],
    ]),
  ),
};

const writable = {
  Writable: [
    () => state(new Writable()),
    async () => {
      const into: unknown[] = [];
      const made = sink(into);
      const end = life(made, 'finish', 'drain', 'prefinish');
      made.write('a');
      made.write(new Uint8Array([98]));
      made.end('c');
      return [await end, into.map(String), state(made)];
    },
    () => {
      const made = sink();
      made.end();
      made.write('late');
      return life(made, 'error', 'finish');
    },
    () => sink().write(null as never),
    () => sink().write(5 as never),
    () => sink().write('x', 'bad' as never),
    () =>
      life(
        failing().on('error', () => {}),
        'error',
      ).then.length,
    async () => {
      const made = failing();
      const end = life(made, 'error', 'finish');
      made.write('x');
      return end;
    },
    async () => {
      const made = sink([], { decodeStrings: false });
      const end = life(made, 'finish');
      made.end('x', 'latin1', () => {});
      return end;
    },
    async () => {
      const batches: unknown[] = [];
      const made = new Writable({
        writev(chunks, callback) {
          batches.push(chunks.map(({ chunk }) => String(chunk)));
          callback();
        },
      });
      made.cork();
      made.write('a');
      made.write('b');
      process.nextTick(() => made.uncork());
      made.end();
      await life(made);
      return batches;
    },
    () => {
      const made = new Writable({ final: (callback) => callback(new Error('not final')), write: (_c, _e, callback) => callback() });
      const end = life(made, 'error', 'finish');
      made.end();
      return end;
    },
  ],
  'Writable.fromWeb': [
    async () => {
      const into: unknown[] = [];
      const made = Writable.fromWeb(new WritableStream({ write: (chunk) => void into.push(chunk) }) as never, { objectMode: true });
      made.end('w');
      await life(made);
      return into;
    },
    () => Writable.fromWeb(5 as never),
  ],
  'Writable.toWeb': [
    async () => {
      const into: unknown[] = [];
      const writer = Writable.toWeb(sink(into, { objectMode: true })).getWriter();
      await writer.write('n');
      await writer.close();
      return into;
    },
  ],
  'Writable.WritableState': [() => typeof (Writable as unknown as Record<string, unknown>)['WritableState']],
  'Writable#write': [
    () => {
      const made = sink();
      made.destroy();
      return new Promise((resolve) => made.write('x', (error) => resolve((error as NodeJS.ErrnoException).code)));
    },
  ],
  'Writable#end': [
    () => {
      const made = sink();
      made.end();
      return new Promise((resolve) => made.end((error?: NodeJS.ErrnoException) => resolve(error?.code)));
    },
    () => sink().end('x').writableEnded,
  ],
  'Writable#cork': [
    () => {
      const made = sink();
      made.cork();
      made.cork();
      made.uncork();
      return made.writableCorked;
    },
  ],
  'Writable#uncork': [
    () => {
      const made = sink();
      made.uncork();
      return made.writableCorked;
    },
  ],
  'Writable#setDefaultEncoding': [
    () => sink().setDefaultEncoding('latin1') instanceof Writable,
    () => sink().setDefaultEncoding('bad' as never),
  ],
  'Writable#pipe': [
    () => {
      const made = sink();
      const end = life(made, 'error');
      (made as unknown as { pipe(): void }).pipe();
      return end;
    },
  ],
  'Writable#destroy': [
    () => {
      const made = sink();
      const end = life(made, 'error', 'finish');
      made.destroy(new Error('d'));
      return end;
    },
  ],
  'Writable#_write': [
    () => {
      const made = new Writable();
      made._write('x', 'utf8', () => {});
    },
  ],
  'Writable#_writev': [() => typeof Writable.prototype._writev],
  'Writable#_destroy': [() => typeof Writable.prototype._destroy],
  'Writable#_undestroy': [() => typeof (Writable.prototype as unknown as Record<string, unknown>)['_undestroy']],
  ...Object.fromEntries(
    [
      'closed',
      'destroyed',
      'writable',
      'writableFinished',
      'writableObjectMode',
      'writableBuffer',
      'writableEnded',
      'writableNeedDrain',
      'writableHighWaterMark',
      'writableCorked',
      'writableLength',
      'errored',
      'writableAborted',
    ].map((name) => [
      `Writable#${name}`,
      [
        async () => {
          const made = sink();
          const value = (): unknown => {
            const now = (made as unknown as Record<string, unknown>)[name];
            return typeof now === 'object' && now !== null && 'length' in now ? now.length : now;
          };
          const before = value();
          made.end('x');
          await tick();
          await tick();
          return [before, value()];
        },
      ],
    ]),
  ),
};

const duplex = {
  Duplex: [
    () => state(new Duplex({ read() {}, write: (_c, _e, callback) => callback() })),
    () => state(new Duplex({ readableHighWaterMark: 1, writableHighWaterMark: 2, readableObjectMode: true })),
    () => new Duplex({ readableHighWaterMark: -1 }),
  ],
  'Duplex.from': [
    async () => collected(Duplex.from(['a'])),
    async () => (await collected(Duplex.from(Promise.resolve('p')))).map(String),
    async () => {
      const made = Duplex.from(async function* (source: AsyncIterable<Buffer>) {
        for await (const chunk of source) yield String(chunk).toUpperCase();
      } as never);
      made.end('low');
      return collected(made);
    },
    () => Duplex.from(5 as never),
  ],
  'Duplex.fromWeb': [
    async () => {
      const into: unknown[] = [];
      const made = Duplex.fromWeb(
        {
          readable: new ReadableStream({
            start(c) {
              c.enqueue('r');
              c.close();
            },
          }),
          writable: new WritableStream({ write: (chunk) => void into.push(chunk) }),
        } as never,
        { objectMode: true },
      );
      made.end('w');
      return [await collected(made), into];
    },
  ],
  'Duplex.toWeb': [() => Object.keys(Duplex.toWeb(new PassThrough())).sort()],
  ...Object.fromEntries(
    ['write', 'cork', 'uncork', 'setDefaultEncoding', '_write', '_writev', 'end', 'destroy'].map((name) => [
      `Duplex#${name}`,
      [() => typeof (Duplex.prototype as unknown as Record<string, unknown>)[name]],
    ]),
  ),
  ...Object.fromEntries(
    [
      'writable',
      'writableHighWaterMark',
      'writableObjectMode',
      'writableBuffer',
      'writableLength',
      'writableFinished',
      'writableCorked',
      'writableEnded',
      'writableNeedDrain',
      'destroyed',
    ].map((name) => [
      `Duplex#${name}`,
      [
        () => {
          const value = (new PassThrough() as unknown as Record<string, unknown>)[name];
          return typeof value === 'object' && value !== null && 'length' in value ? value.length : value;
        },
      ],
    ]),
  ),
  Transform: [
    async () => {
      const made = upper();
      made.write('a');
      made.end('b');
      return (await collected(made)).map(String).join('');
    },
    async () => {
      const made = new Transform({ transform: (_c, _e, callback) => callback(new Error('t')) });
      const end = life(made, 'error', 'end', 'finish');
      made.end('x');
      return end;
    },
    async () => {
      const made = new Transform({ transform: (c, _e, callback) => callback(null, c), flush: (callback) => callback(null, 'last') });
      made.end('x');
      return (await collected(made)).map(String).join('');
    },
    () => new Transform()._transform('x', 'utf8', () => {}),
  ],
  ...Object.fromEntries(
    ['_final', '_transform', '_write', '_read'].map((name) => [
      `Transform#${name}`,
      [() => typeof (Transform.prototype as unknown as Record<string, unknown>)[name]],
    ]),
  ),
  PassThrough: [
    async () => {
      const made = new PassThrough();
      made.end('through');
      return (await collected(made)).map(String);
    },
  ],
  'PassThrough#_transform': [() => typeof PassThrough.prototype._transform],
  duplexPair: [
    async () => {
      const [one, two] = (all['duplexPair'] as () => [Duplex, Duplex])();
      one.end('across');
      const there = (await collected(two)).map(String);
      two.end('back');
      return [there, (await collected(one)).map(String)];
    },
  ],
};

const functions = {
  'an operator without a function': [() => numbers().map(5 as never)],
  'a write that is done at once': [
    async () => {
      const made = sink([], { highWaterMark: 2 });
      const full = [made.write('a'), made.write('bc')];
      await tick();
      return [full, made.writableNeedDrain];
    },
  ],
  pipeline: [
    () =>
      new Promise((resolve) => {
        const into: unknown[] = [];
        stream.pipeline(Readable.from(['a']), upper(), sink(into), (error) => resolve([error, into.map(String)]));
      }),
    () => new Promise((resolve) => stream.pipeline(Readable.from(['a']), failing(), (error) => resolve([error?.message]))),
    () =>
      new Promise((resolve) => {
        const source = new Readable({ read() {} });
        stream.pipeline(source, sink(), (error) => resolve([error?.message, error?.code]));
        source.destroy();
      }),
    () =>
      new Promise((resolve) =>
        stream.pipeline(
          Readable.from(['a', 'b']),
          async function (source: AsyncIterable<string>) {
            let text = '';
            for await (const part of source) text += part;
            return text;
          },
          (error, value) => resolve([error, value]),
        ),
      ),
    () => all['pipeline']?.(Readable.from(['a']), 5),
    () => all['pipeline']?.(() => {}),
  ],
  finished: [
    () =>
      new Promise((resolve) => {
        stream.finished(numbers().resume(), (error) => resolve(error));
      }),
    () =>
      new Promise((resolve) => {
        const made = numbers();
        stream.finished(made, (error) => resolve(error?.code));
        made.destroy();
      }),
    () =>
      new Promise((resolve) => {
        const made = sink();
        stream.finished(made, { signal: AbortSignal.abort() }, (error) => resolve([error?.name, error?.code]));
      }),
    () => all['finished']?.(5, () => {}),
    () => all['finished']?.(numbers()),
  ],
  addAbortSignal: [
    () => {
      const controller = new AbortController();
      const made = stream.addAbortSignal(controller.signal, new Readable({ read() {} }));
      const end = life(made, 'error');
      controller.abort();
      return end;
    },
    () => stream.addAbortSignal(5 as never, numbers()),
    () => stream.addAbortSignal(new AbortController().signal, 5 as never),
  ],
  compose: [
    async () => {
      const made = all['compose']?.(upper(), new PassThrough()) as Duplex;
      made.end('c');
      return (await collected(made)).map(String);
    },
    () => all['compose']?.(),
  ],
  destroy: [
    () => {
      const made = numbers();
      const end = life(made, 'error');
      all['destroy']?.(made, new Error('by hand'));
      return end;
    },
  ],
  isErrored: [
    async () => {
      const made = numbers();
      made.on('error', () => {});
      const before = stream.isErrored(made);
      made.destroy(new Error('x'));
      await tick();
      return [before, stream.isErrored(made)];
    },
  ],
  isReadable: [() => [stream.isReadable(numbers()), all['isReadable']?.(sink()), all['isReadable']?.(5)]],
  isWritable: [() => [all['isWritable']?.(sink()), all['isWritable']?.(numbers())]],
  isDisturbed: [
    async () => {
      const made = numbers();
      const before = Readable.isDisturbed(made);
      await collected(made);
      return [before, Readable.isDisturbed(made)];
    },
  ],
  isDestroyed: [() => [all['isDestroyed']?.(numbers()), all['isDestroyed']?.(numbers().destroy())]],
  getDefaultHighWaterMark: [() => [stream.getDefaultHighWaterMark(false), stream.getDefaultHighWaterMark(true)]],
  setDefaultHighWaterMark: [
    () => {
      stream.setDefaultHighWaterMark(false, 100);
      const mark = new Readable().readableHighWaterMark;
      stream.setDefaultHighWaterMark(false, 65536);
      return mark;
    },
    () => stream.setDefaultHighWaterMark(false, -1),
  ],
  promises: [() => Object.keys(stream.promises).sort()],
  Stream: [
    () => [
      (stream as unknown as Record<string, unknown>)['Stream'] === stream,
      new stream.Stream() instanceof EventEmitter,
      new Readable() instanceof stream.Stream,
    ],
  ],
  _isUint8Array: [() => [all['_isUint8Array']?.(new Uint8Array()), all['_isUint8Array']?.('x')]],
  _isArrayBufferView: [() => all['_isArrayBufferView']?.(new DataView(new ArrayBuffer(1)))],
  _uint8ArrayToBuffer: [() => Buffer.isBuffer(all['_uint8ArrayToBuffer']?.(new Uint8Array(2)))],
};

/** Those that changed in Node 22. */
const since22 = [
  'Readable',
  'Writable',
  'Duplex',
  'getDefaultHighWaterMark',
  'Readable#readableHighWaterMark',
  'Writable#writableHighWaterMark',
  'Duplex#writableHighWaterMark',
];

export default cases(
  'stream',
  { ...readable, ...writable, ...duplex, ...functions },
  {
    missing: { 'Readable#asIndexedPairs': 'removed from Node' },
    differs: {
      'a write that is done at once':
        'Node says true when nothing waits after it; here it is false when it alone reaches the mark, and `drain` follows',
    },
    since: {
      ...Object.fromEntries(since22.map((name) => [name, 22])),
      'an operator without a function': 24,
      _isArrayBufferView: 22,
      duplexPair: 22,
    },
  },
);
