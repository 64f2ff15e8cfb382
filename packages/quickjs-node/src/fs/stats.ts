/**
 * `fs.Stats`, `fs.BigIntStats`, `fs.StatFs` and `fs.Dirent`.
 */
import { constants } from './constants.ts';

const TYPE_MASK = 61440;
const [DEVICE_C, DIRECTORY, DEVICE_B, FILE, LINK, SOCKET, FIFO] = [8192, 16384, 24576, 32768, 40960, 49152, 4096];

abstract class StatsBase {
  declare mode: number | bigint;

  isDirectory(): boolean {
    return this._checkModeProperty(DIRECTORY);
  }
  isFile(): boolean {
    return this._checkModeProperty(FILE);
  }
  isBlockDevice(): boolean {
    return this._checkModeProperty(DEVICE_B);
  }
  isCharacterDevice(): boolean {
    return this._checkModeProperty(DEVICE_C);
  }
  isSymbolicLink(): boolean {
    return this._checkModeProperty(LINK);
  }
  isFIFO(): boolean {
    return this._checkModeProperty(FIFO);
  }
  isSocket(): boolean {
    return this._checkModeProperty(SOCKET);
  }
  _checkModeProperty(type: number): boolean {
    return (Number(this.mode) & TYPE_MASK) === type;
  }
}

/** Dates are made when they are read; then, or when they are set, they are properties of the object. */
function defineDates(prototype: object): void {
  for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) {
    Object.defineProperty(prototype, name, {
      enumerable: true,
      configurable: true,
      get(this: Record<string, number | bigint>) {
        const date = new Date(Math.round(Number(this[`${name}Ms`])));
        keep(this, name, date);
        return date;
      },
      set(this: object, value: unknown) {
        keep(this, name, value);
      },
    });
  }
}

function keep(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

export class Stats extends StatsBase {
  dev: number;
  override mode: number;
  nlink: number;
  uid: number;
  gid: number;
  rdev: number;
  blksize: number;
  ino: number;
  size: number;
  blocks: number;
  atimeMs: number;
  mtimeMs: number;
  ctimeMs: number;
  birthtimeMs: number;
  declare atime: Date;
  declare mtime: Date;
  declare ctime: Date;
  declare birthtime: Date;

  // As Node's: one parameter for each field.
  constructor(...fields: number[]) {
    super();
    const at = (index: number): number => fields[index] as number;
    this.dev = at(0);
    this.mode = at(1);
    this.nlink = at(2);
    this.uid = at(3);
    this.gid = at(4);
    this.rdev = at(5);
    this.blksize = at(6);
    this.ino = at(7);
    this.size = at(8);
    this.blocks = at(9);
    this.atimeMs = at(10);
    this.mtimeMs = at(11);
    this.ctimeMs = at(12);
    this.birthtimeMs = at(13);
  }
}
defineDates(Stats.prototype);

const FIELDS = ['dev', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'blksize', 'ino', 'size', 'blocks'] as const;
const TIMES = ['atime', 'mtime', 'ctime', 'birthtime'] as const;
/** Where the times begin: seconds, nanoseconds. */
const TIMES_AT = FIELDS.length;

class BigIntStats extends StatsBase {
  constructor(fields: Float64Array) {
    super();
    const all = this as unknown as Record<string, bigint>;
    const nanoseconds = TIMES.map((_, index) => {
      const at = TIMES_AT + index * 2;
      return BigInt(fields[at] as number) * 1_000_000_000n + BigInt(fields[at + 1] as number);
    });
    for (const [index, name] of FIELDS.entries()) all[name] = BigInt(fields[index] as number);
    for (const [index, name] of TIMES.entries()) all[`${name}Ms`] = (nanoseconds[index] as bigint) / 1_000_000n;
    for (const [index, name] of TIMES.entries()) all[`${name}Ns`] = nanoseconds[index] as bigint;
  }
}
defineDates(BigIntStats.prototype);

export function statsOf(fields: Float64Array, big: unknown): Stats {
  if (big) return new BigIntStats(fields) as unknown as Stats;
  const ms = (index: number): number =>
    (fields[TIMES_AT + index * 2] as number) * 1000 + (fields[TIMES_AT + index * 2 + 1] as number) / 1e6;
  const all = fields as unknown as Record<number, number>;
  return new Stats(...([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => all[index]) as number[]), ms(0), ms(1), ms(2), ms(3));
}

const STATFS_FIELDS = ['type', 'bsize', 'frsize', 'blocks', 'bfree', 'bavail', 'files', 'ffree'] as const;

class StatFs {}

export function statFsOf(fields: Float64Array, big: unknown): StatFs {
  const made = new StatFs() as Record<string, number | bigint>;
  for (const [index, name] of STATFS_FIELDS.entries()) {
    const value = fields[index] as number;
    made[name] = big ? BigInt(value) : value;
  }
  return made;
}

const kind = Symbol('type');

export class Dirent {
  name: string | Buffer;
  parentPath: string | Buffer;
  [kind]: number;

  constructor(name: string | Buffer, type: number, parentPath: string | Buffer) {
    this.name = name;
    this.parentPath = parentPath;
    this[kind] = type;
  }
  isDirectory(): boolean {
    return this[kind] === constants['UV_DIRENT_DIR'];
  }
  isFile(): boolean {
    return this[kind] === constants['UV_DIRENT_FILE'];
  }
  isBlockDevice(): boolean {
    return this[kind] === constants['UV_DIRENT_BLOCK'];
  }
  isCharacterDevice(): boolean {
    return this[kind] === constants['UV_DIRENT_CHAR'];
  }
  isSymbolicLink(): boolean {
    return this[kind] === constants['UV_DIRENT_LINK'];
  }
  isFIFO(): boolean {
    return this[kind] === constants['UV_DIRENT_FIFO'];
  }
  isSocket(): boolean {
    return this[kind] === constants['UV_DIRENT_SOCKET'];
  }
}
