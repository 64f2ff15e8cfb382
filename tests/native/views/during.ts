// JavaScript that runs while a function of the runtime works on a view, or between its call and its end, and
// takes the view's memory away.
import { ascii, bytes, folder, fs, ops } from './support.ts';
import { transfer } from './values.ts';

const BYTES = 4096;
const LARGE = 64 * 1024;
const OWN = 0x55;
const operations = ops.call('fs');
const zlib = ops.call('zlib');

function equal(found: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

/** Arrays that get the memory which was given up; `check` tells when somebody else writes there. */
function occupied(size: number): () => void {
  const arrays = Array.from({ length: 64 }, () => new Uint8Array(size).fill(OWN));
  return () => {
    for (const array of arrays) {
      for (const byte of array) if (byte !== OWN) throw new Error('memory that belongs to another array was written');
    }
  };
}

/** Gives up all of a buffer but eight bytes, to others. */
function takenAway(memory: ArrayBuffer): () => void {
  const size = memory.byteLength;
  const rest = new Uint8Array(transfer(memory, 8));
  const before = rest.slice();
  const check = occupied(size);
  return () => {
    check();
    equal([...rest], [...before], 'the bytes that were transferred');
  };
}

const taken = (): { readonly view: Uint8Array; readonly valueOf: () => number; check: () => void } => {
  const view = new Uint8Array(BYTES).fill(0x41);
  const state = { view, check: (): void => {}, valueOf: (): number => ((state.check = takenAway(view.buffer)), 1) };
  return state;
};

function thrown(work: () => unknown): string {
  try {
    return `gave ${String(work())}`;
  } catch (error) {
    return (error as Error).name;
  }
}

const later = <T>(start: (done: (value: T) => void) => void): Promise<T> => new Promise(start);

async function readIntoTaken(): Promise<void> {
  const fd = fs.openSync('/dev/zero', 'r');
  try {
    const target = new Uint8Array(BYTES).fill(1);
    let check = (): void => {};
    const count = await later<number>((done) => {
      operations.call('read', fd, target, -1, done);
      check = takenAway(target.buffer);
    });
    equal(count, BYTES, 'bytes read');
    check();
  } finally {
    fs.closeSync(fd);
  }
}

/** Into a view of a buffer that is shorter by the end: `length` makes it a view that does not follow. */
async function readIntoShrunk(length: number | undefined, wanted: number): Promise<void> {
  const fd = fs.openSync('/dev/zero', 'r');
  try {
    const memory = new (ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer)(BYTES, { maxByteLength: BYTES });
    const target = new Uint8Array(memory, 0, length).fill(1);
    let check = (): void => {};
    await later<number>((done) => {
      operations.call('read', fd, target, -1, done);
      (memory as unknown as { resize(bytes: number): void }).resize(BYTES / 4);
      check = occupied(BYTES);
    });
    check();
    equal(new Uint8Array(memory).filter((byte) => byte === 0).length, wanted, 'bytes that arrived');
  } finally {
    fs.closeSync(fd);
  }
}

/** One step of a codec; the memory at `place` (input, output, result) goes meanwhile. */
async function compressTaken(size: number, place: 0 | 1 | 2): Promise<void> {
  const all = [new Uint8Array(size).fill(0x41), new Uint8Array(BYTES), new Uint32Array(BYTES / 4)] as const;
  const codec = zlib.call('open', 1, [15, 6, 8, 0]);
  let check = (): void => {};
  const outcome = await later<unknown>((done) => {
    codec.call('write', 4, ...all, done);
    check = takenAway(all[place].buffer as ArrayBuffer);
  });
  equal(outcome, 0, 'the outcome');
  check();
  if (place !== 2) equal(all[2][0], 0, 'input left');
  if (place === 0) {
    const back = new Uint8Array(size);
    zlib.call('open', 2, [15, 6, 8, 0]).call('write', 4, all[1], back, new Uint32Array(2));
    equal(back.every((byte) => byte === 0x41), true, 'what was compressed');
  }
}

function methods(): Record<string, (...args: unknown[]) => unknown> {
  const text = {};
  ops.call('setTextMethods', text);
  return text;
}

function slicesOfTaken(): void {
  for (const [name, method] of Object.entries(methods())) {
    const it = taken();
    const isSlice = name.endsWith('Slice');
    const outcome = isSlice ? method.call(it.view, it, 100) : method.call(it.view, '41'.repeat(50), it, 100);
    equal(outcome, isSlice ? '' : 0, name);
    it.check();
  }
}

function numbersInTaken(): void {
  const refuse = (): never => {
    throw new RangeError('refused');
  };
  const write = ops.call('numberWriter', 8 + 64, refuse) as unknown as (...args: unknown[]) => unknown;
  const it = taken();
  equal(thrown(() => write.call(it.view, it, 0)), 'RangeError', 'a number');
  it.check();
}

function partOfTaken(): void {
  const it = taken();
  equal(thrown(() => Buffer.prototype.subarray.call(it.view, it as never)), 'TypeError', 'a part');
  it.check();
}

function joinedIntoTaken(): void {
  const it = taken();
  const list: unknown[] = [new Uint8Array(8), undefined, new Uint8Array(BYTES)];
  Object.defineProperty(list, 1, { get: () => (it.valueOf(), new Uint8Array(16)) });
  equal(ops.call('concatBytes', it.view, list), 8, 'bytes joined');
  it.check();
}

/** Errors run JavaScript: none is made where an address is already known. */
function errorsThatTake(): void {
  const { prepareStackTrace } = Error;
  try {
    for (const target of [new Uint16Array(BYTES / 2), new DataView(new ArrayBuffer(BYTES)), new Uint8Array(new SharedArrayBuffer(BYTES))]) {
      const it = taken();
      let runs = 0;
      Error.prepareStackTrace = () => ((runs += 1), it.valueOf());
      equal(ops.call('copyBytes', it.view, target, 0, 0, BYTES), BYTES, 'bytes copied');
      equal(new Uint8Array(target.buffer).every((byte) => byte === 0x41), true, 'the bytes');
      equal(runs, 0, 'errors made');
    }
    const it = taken();
    Error.prepareStackTrace = () => it.valueOf();
    equal(thrown(() => ops.call('copyBytes', it.view, {}, 0, 0, BYTES)), 'TypeError', 'no target');
    it.check();
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
}

/** What the runtime made may be given another size, as any other buffer. */
function resultsTransferred(): void {
  for (const size of [0, 1, 5000, 300_000]) {
    fs.writeFileSync(`${folder}/sized`, new Uint8Array(size).fill(3));
    const made: [string, () => Uint8Array][] = [
      ['readFile', () => bytes(operations.call('readFile', `${folder}/sized`, 0))],
      ['fromText', () => ops.call('fromText', 'x'.repeat(size), 1) as unknown as Uint8Array],
    ];
    for (const [name, make] of made) {
      for (const length of [0, 1, 100, size, size + 1, 2 * size + 10]) {
        const view = make();
        const wanted = [...view.slice(0, length), ...new Uint8Array(Math.max(0, length - view.length))];
        equal([...new Uint8Array(transfer(view.buffer as ArrayBuffer, length))].join(), wanted.join(), `${name} of ${size} as ${length}`);
      }
    }
  }
}

/** Parts of a Buffer are of its length now. */
function partsOfGrown(): void {
  const memory = new (ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer)(8, { maxByteLength: 64 });
  const view = new Uint8Array(memory);
  const part = (): number => Buffer.prototype.subarray.call(view, 2).length;
  equal(part(), 6, 'before');
  (memory as unknown as { resize(bytes: number): void }).resize(64);
  equal(part(), 62, 'grown');
  (memory as unknown as { resize(bytes: number): void }).resize(4);
  equal(part(), 2, 'shrunk');
}

function keyOfTakenParts(): void {
  const it = taken();
  const list: unknown[] = [it.view, undefined];
  Object.defineProperty(list, 1, { get: () => (it.valueOf(), ascii('part')) });
  ops.call('crypto').call('keyOfParts', 'rsa', list);
  it.check();
}

export const during: Readonly<Record<string, () => void | Promise<void>>> = {
  'fs.read into memory that is transferred meanwhile': readIntoTaken,
  'fs.read into a view that lies outside its buffer by then': () => readIntoShrunk(BYTES, 0),
  'fs.read into a view that follows a buffer which shrinks': () => readIntoShrunk(undefined, BYTES / 4),
  ...Object.fromEntries(
    [BYTES, LARGE].flatMap((size) =>
      ([0, 1, 2] as const).map((place) => [
        `compression of ${size} bytes whose ${['input', 'output', 'result'][place]} is transferred meanwhile`,
        () => compressTaken(size, place),
      ]),
    ),
  ),
  'an argument of a text method that takes the memory': slicesOfTaken,
  'a number to be written that takes the memory': numbersInTaken,
  'an argument of subarray that takes the memory': partOfTaken,
  'a list that takes the memory of the target': joinedIntoTaken,
  'a list of parts of a key that takes the memory of one': keyOfTakenParts,
  'prepareStackTrace that takes the memory': errorsThatTake,
  'transfer of memory that the runtime made': resultsTransferred,
  'subarray of a view that follows its buffer': partsOfGrown,
};
