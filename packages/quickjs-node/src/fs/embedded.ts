/**
 * Files that an application's executable carries, as `node:fs` sees them.
 *
 * `fulmar build --native` writes them into the archive as `files/<path>`. At run time they lie at
 * `<folder of the executable>/<path>`, where the application's modules lie too (`__dirname`,
 * `import.meta.dirname`). Three rules say what a path names:
 *
 * 1. A file's place at the executable is the embedded file, whatever the disk has there. It cannot be written (EROFS).
 * 2. A folder there holds what is embedded in it and what the disk has.
 * 3. A path within the folder the process was started in, of which the disk has nothing, names what is embedded at the same place:
 *    `express.static('public')` works wherever the executable is started.
 *
 * Operations have the same form as those of the host (`ops.fs()`): `node:fs` does not know which of the two
 * it calls. Open embedded files have descriptors of their own, beyond those that a system gives.
 */
import ops, { type FileOperations } from 'fulmar:ops';

const PREFIX = 'files/';
const FIRST_DESCRIPTOR = 0x4000_0000;

const [EROFS, ENOENT, ENOTDIR, EISDIR, EBADF, EEXIST, EINVAL] = [-30, -2, -20, -21, -9, -17, -22];
const [MODE_FILE, MODE_FOLDER] = [0o100444, 0o40555];
/** What `open`'s flags ask for: a way to write; to create and be the first. */
const [FLAGS_WRITING, FLAGS_EXCLUSIVE] = [3, 0o300];
const BLOCK = 4096;
const SECTOR = 512;

interface Entry {
  /** Below the root, without a slash at either end. */
  readonly path: string;
  /** What is within, for a folder. */
  readonly children: Map<string, Entry> | undefined;
  readonly number: number;
}

interface Open {
  readonly entry: Entry;
  position: number;
}

type Names = (string | number)[];
type Raw = (...args: never[]) => unknown;

class Embedded {
  readonly #root: string;
  readonly #started: string;
  readonly #disk: FileOperations;
  readonly #entries = new Map<string, Entry>();
  readonly #open = new Map<number, Open>();
  #next = FIRST_DESCRIPTOR;

  constructor(root: string, names: readonly string[], disk: FileOperations) {
    this.#root = root;
    this.#started = process.cwd();
    this.#disk = disk;
    this.#entries.set('', { path: '', children: new Map(), number: 1 });
    for (const name of names) this.#add(name, false);
  }

  #add(path: string, isFolder: boolean): Entry {
    const known = this.#entries.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf('/');
    const parent = slash === -1 ? (this.#entries.get('') as Entry) : this.#add(path.slice(0, slash), true);
    const entry = { path, children: isFolder ? new Map<string, Entry>() : undefined, number: this.#entries.size + 1 };
    this.#entries.set(path, entry);
    parent.children?.set(path.slice(slash + 1), entry);
    return entry;
  }

  /**
   * The entry that `path` names; an errno when something is looked for in a file; undefined when the disk is
   * meant.
   */
  find(given: string | Uint8Array): Entry | number | undefined {
    const path = absolute(typeof given === 'string' ? given : Buffer.from(given).toString());
    const atRoot = below(path, this.#root);
    const found = atRoot === undefined ? undefined : (this.#entries.get(atRoot) ?? this.#inFile(atRoot));
    if (found !== undefined) return typeof found === 'number' || found.children === undefined ? found : this.#unlessOnDisk(path, found);
    const beside = below(path, this.#started);
    const entry = beside === undefined ? undefined : this.#entries.get(beside);
    return entry === undefined ? undefined : this.#unlessOnDisk(path, entry);
  }

  #unlessOnDisk(path: string, entry: Entry): Entry | undefined {
    return this.#disk.access(path, 0) === 0 ? undefined : entry;
  }

  #inFile(path: string): number | undefined {
    for (let at = path.lastIndexOf('/'); at !== -1; at = path.lastIndexOf('/', at - 1)) {
      const parent = this.#entries.get(path.slice(0, at));
      if (parent !== undefined) return parent.children === undefined ? ENOTDIR : undefined;
    }
    return undefined;
  }

  /** Embedded names of a folder that the disk has too. */
  folderAt(given: string | Uint8Array): Entry | undefined {
    const path = absolute(typeof given === 'string' ? given : Buffer.from(given).toString());
    const place = below(path, this.#root) ?? below(path, this.#started);
    const entry = place === undefined ? undefined : this.#entries.get(place);
    return entry?.children === undefined ? undefined : entry;
  }

  stat(entry: Entry): Float64Array {
    const [size = BLOCK, modified = 0] = entry.children === undefined ? ops.fileFacts(PREFIX + entry.path) : [];
    const mode = entry.children === undefined ? MODE_FILE : MODE_FOLDER;
    const seconds = Math.floor(modified / 1000);
    const times = [0, 1, 2, 3].flatMap(() => [seconds, (modified - seconds * 1000) * 1e6]);
    return Float64Array.from([0, mode, 1, 0, 0, 0, BLOCK, entry.number, size, Math.ceil(size / BLOCK) * (BLOCK / SECTOR), ...times]);
  }

  open(entry: Entry, flags: number): number {
    if ((flags & FLAGS_WRITING) !== 0) return (flags & FLAGS_EXCLUSIVE) === FLAGS_EXCLUSIVE ? EEXIST : EROFS;
    const fd = this.#next++;
    this.#open.set(fd, { entry, position: 0 });
    return fd;
  }

  opened(fd: number): Open | undefined {
    return this.#open.get(fd);
  }

  close(fd: number): number {
    return this.#open.delete(fd) ? 0 : EBADF;
  }

  /** All of a file. */
  content(entry: Entry): ArrayBuffer | number {
    if (entry.children !== undefined) return EISDIR;
    return ops.file(PREFIX + entry.path) ?? ENOENT;
  }

  read(fd: number, target: ArrayBufferView, position: number): number {
    const open = this.#open.get(fd);
    if (open === undefined) return EBADF;
    if (open.entry.children !== undefined) return EISDIR;
    const from = position < 0 ? open.position : position;
    const count = ops.fileRead(PREFIX + open.entry.path, target, from);
    if (position < 0) open.position += count;
    return count;
  }

  list(entry: Entry, recursive: boolean, prefix = ''): (string | number)[] | number {
    if (entry.children === undefined) return ENOTDIR;
    const names: (string | number)[] = [];
    for (const [name, child] of entry.children) names.push(prefix + name, child.children === undefined ? 1 : 2);
    if (!recursive) return names;
    for (const [name, child] of entry.children) {
      if (child.children !== undefined) names.push(...(this.list(child, true, `${prefix}${name}/`) as (string | number)[]));
    }
    return names;
  }

  realpath(entry: Entry): string {
    return entry.path === '' ? this.#root : `${this.#root}/${entry.path}`;
  }
}

/** Absolute, without `.`, `..`, double slashes or one at the end. */
function absolute(path: string): string {
  const whole = path.startsWith('/') ? path : `${process.cwd()}/${path}`;
  if (!/\/(?:\.{0,2}\/|\.{0,2}$)/.test(whole)) return whole;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function below(path: string, folder: string): string | undefined {
  if (path === folder) return '';
  return path.startsWith(folder) && path[folder.length] === '/' ? path.slice(folder.length + 1) : undefined;
}

/** What the operations that read do with an embedded file. */
function readers(embedded: Embedded): Record<string, (entry: Entry, args: readonly never[]) => unknown> {
  return {
    stat: (entry) => embedded.stat(entry),
    lstat: (entry) => embedded.stat(entry),
    access: (_entry, args: readonly unknown[]) => (((args[1] as number) & 2) === 0 ? 0 : EROFS),
    realpath: (entry) => embedded.realpath(entry),
    readlink: () => EINVAL,
    readdir: (entry, args: readonly unknown[]) => embedded.list(entry, args[1] as boolean),
    open: (entry, args: readonly unknown[]) => embedded.open(entry, args[1] as number),
    readFile: (entry) => embedded.content(entry),
  };
}

const WRITERS = ['writeFile', 'rename', 'unlink', 'truncate', 'chmod', 'chown', 'utimes', 'rmdir', 'rm'] as const;
const BY_DESCRIPTOR = [
  'close',
  'read',
  'write',
  'readRest',
  'fstat',
  'ftruncate',
  'fsync',
  'fdatasync',
  'fchmod',
  'fchown',
  'futimes',
] as const;

function byDescriptor(embedded: Embedded, name: string, args: readonly unknown[]): unknown {
  const fd = args[0] as number;
  const open = embedded.opened(fd);
  if (open === undefined) return EBADF;
  switch (name) {
    case 'close':
      return embedded.close(fd);
    case 'read':
      return embedded.read(fd, args[1] as ArrayBufferView, args[2] as number);
    case 'readRest':
      return rest(embedded, open);
    case 'fstat':
      return embedded.stat(open.entry);
    case 'fsync':
    case 'fdatasync':
      return 0;
    default:
      return name === 'write' ? EBADF : EROFS;
  }
}

function rest(embedded: Embedded, open: Open): ArrayBuffer | number {
  const content = embedded.content(open.entry);
  if (typeof content === 'number') return content;
  const from = open.position;
  open.position = content.byteLength;
  return from === 0 ? content : content.slice(from);
}

/** A call with a callback at its end answers there, later; without one at once. */
function answer(count: number, args: readonly unknown[], result: () => unknown): unknown {
  const callback = args[count];
  if (typeof callback !== 'function') return result();
  setImmediate(() => (callback as (value: unknown) => void)(result()));
  return undefined;
}

/** The number of arguments before the callback. */
const COUNTS: Readonly<Record<string, number>> = {
  stat: 1, lstat: 1, access: 2, realpath: 1, readlink: 1, readdir: 2, open: 3, readFile: 2,
  close: 1, read: 3, write: 3, readRest: 1, fstat: 1, ftruncate: 2, fsync: 1, fdatasync: 1, fchmod: 2, fchown: 3, futimes: 3,
  writeFile: 4, rename: 2, unlink: 1, truncate: 2, chmod: 2, chown: 4, utimes: 4, mkdir: 3, mkdtemp: 1, rmdir: 1, rm: 3, copyFile: 3,
}; // prettier-ignore

function wrapped(disk: FileOperations, embedded: Embedded): FileOperations {
  const made = Object.create(disk) as Record<string, Raw>;
  const direct = disk as unknown as Record<string, (...args: unknown[]) => unknown>;
  const count = (name: string): number => COUNTS[name] as number;
  for (const [name, read] of Object.entries(readers(embedded))) {
    made[name] = (...args: unknown[]) => {
      const found = embedded.find(args[0] as string);
      if (found === undefined) return direct[name]?.(...args);
      return answer(count(name), args, () => (typeof found === 'number' ? found : read(found, args as never[])));
    };
  }
  for (const name of WRITERS) {
    made[name] = (...args: unknown[]) => {
      const found = embedded.find(args[0] as string);
      if (found === undefined) return direct[name]?.(...args);
      return answer(count(name), args, () => EROFS);
    };
  }
  const { readdir } = made;
  made['readdir'] = (...args: unknown[]) => {
    const also = embedded.folderAt(args[0] as string);
    const first = (readdir as (...all: unknown[]) => unknown)(...args.slice(0, 2));
    if (also === undefined || typeof first === 'number') return answer(2, args, () => first);
    return answer(2, args, () => union(first as Names, embedded.list(also, args[1] as boolean) as Names));
  };
  for (const name of BY_DESCRIPTOR) {
    made[name] = (...args: unknown[]) => {
      if ((args[0] as number) < FIRST_DESCRIPTOR) return direct[name]?.(...args);
      return answer(count(name), args, () => byDescriptor(embedded, name, args));
    };
  }
  made['copyFile'] = (...args: unknown[]) => {
    const found = embedded.find(args[0] as string);
    if (found === undefined) return direct['copyFile']?.(...args);
    return answer(count('copyFile'), args, () => copyOut(disk, embedded, found, args as [string, string, number]));
  };
  return made as unknown as FileOperations;
}

function union(names: Names, more: Names): Names {
  const known = new Set(names);
  const all = [...names];
  for (let at = 0; at < more.length; at += 2) {
    if (!known.has(more[at] as string)) all.push(more[at] as string, more[at + 1] as number);
  }
  return all;
}

function copyOut(disk: FileOperations, embedded: Embedded, found: Entry | number, args: readonly [string, string, number]): number {
  const content = typeof found === 'number' ? found : embedded.content(found);
  if (typeof content === 'number') return content;
  if (embedded.find(args[1]) !== undefined) return EROFS;
  const [CREATE_WRITE_TRUNCATE, EXCLUSIVE, READ_WRITE] = [0o1101, 0o200, 0o644];
  return disk.writeFile(args[1], new Uint8Array(content), CREATE_WRITE_TRUNCATE | ((args[2] & 1) === 1 ? EXCLUSIVE : 0), READ_WRITE);
}

let operations: FileOperations | undefined;

/** The operations for `node:fs`: the disk's, and those on embedded files when the executable carries any. */
export function fileOperations(): FileOperations {
  if (operations !== undefined) return operations;
  const disk = ops.fs();
  const names = ops.files().filter((name) => name.startsWith(PREFIX));
  const executable = ops.execPath();
  const root = executable.slice(0, executable.lastIndexOf('/'));
  // Folders are listed in the order in which they are added: by name.
  const relative = names.map((name) => name.slice(PREFIX.length)).sort();
  operations = names.length === 0 ? disk : wrapped(disk, new Embedded(root, relative, disk));
  return operations;
}
