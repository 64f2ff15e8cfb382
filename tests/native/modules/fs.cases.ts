import fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cases } from '../harness/cases.ts';

type Outcome = unknown;

/** Runs `work` in a new folder with some files; paths in the outcome are written from `<folder>`. */
function inFolder(work: (folder: string) => unknown): () => Promise<Outcome> {
  return async () => {
    const folder = fs.realpathSync(fs.mkdtempSync(join(process.env['TMPDIR'] ?? '/tmp', 'fulmar-fs-')));
    fs.mkdirSync(join(folder, 'sub/deep'), { recursive: true });
    fs.writeFileSync(join(folder, 'a.txt'), 'alpha');
    fs.writeFileSync(join(folder, 'sub/b.txt'), 'bêta');
    fs.symlinkSync('a.txt', join(folder, 'link'));
    try {
      return without(await work(folder), folder);
    } catch (error) {
      throw plain(error as Failure, folder);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  };
}

type Failure = NodeJS.ErrnoException & { dest?: string };

/** Temporary folders have a random ending. */
function hidden(text: string, folder: string): string {
  return text.replaceAll(folder, '<folder>').replaceAll(/(tmp-)[A-Za-z0-9]{6}/g, '$1XXXXXX');
}

function without(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return hidden(value, folder);
  if (Array.isArray(value)) return value.map((item) => without(item, folder));
  return value;
}

function plain(error: Failure, folder: string): Error {
  const { message, code, errno, syscall, path, dest } = error;
  const facts = JSON.stringify({ code, errno, syscall, path, dest });
  return Object.assign(new Error(hidden(`${error.name}: ${message} ${facts}`, folder)), { code });
}

/** What a callback gets: the error in plain words, or the values. */
function called(start: (callback: (...values: never[]) => void) => void): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    start(((error: Failure | null, ...values: unknown[]) => (error ? reject(error) : resolve([error, ...values]))) as never);
  });
}

const kinds = (stats: fs.Stats | undefined) =>
  stats && [stats.isFile(), stats.isDirectory(), stats.isSymbolicLink(), stats.isFIFO(), stats.isSocket()];
const read = (path: string): string => fs.readFileSync(path, 'utf8');
const any = fs as unknown as Record<string, (...args: unknown[]) => unknown>;

/** The same operation in its two forms. */
function both(name: string, ...programs: ((folder: string) => unknown[])[]): Record<string, (() => unknown)[]> {
  return {
    [name]: [
      ...programs.map((args) => inFolder((folder) => called((callback) => any[name]?.(...args(folder), callback)).then(shown))),
      ...(name === 'rm' || name === 'cp' || name === 'symlink' ? [] : [() => any[name]?.('/x')]),
    ],
    [`${name}Sync`]: programs.map((args) => inFolder((folder) => shown(any[`${name}Sync`]?.(...args(folder))))),
  };
}

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown).sort();
  if (value instanceof fs.Stats) return kinds(value);
  if (value instanceof fs.Dirent) return [value.name, value.isFile(), value.isDirectory(), value.isSymbolicLink(), value.parentPath];
  return value;
}

const members = {
  ...both(
    'access',
    (f) => [join(f, 'a.txt')],
    (f) => [join(f, 'nope')],
    (f) => [f, fs.constants.R_OK | fs.constants.W_OK],
    () => [5],
    () => ['a\0b'],
  ),
  ...both(
    'appendFile',
    (f) => [join(f, 'a.txt'), 'more'],
    (f) => [join(f, 'new.txt'), Buffer.from('x')],
    (f) => [join(f, 'no/x'), 'x'],
    (f) => [f, 'x'],
    (f) => [join(f, 'a.txt'), {}],
  ),
  ...both(
    'chmod',
    (f) => [join(f, 'a.txt'), 0o600],
    (f) => [join(f, 'a.txt'), '755'],
    (f) => [join(f, 'nope'), 0o600],
    (f) => [join(f, 'a.txt'), 'zz'],
    (f) => [join(f, 'a.txt')],
  ),
  ...both(
    'chown',
    (f) => [join(f, 'a.txt'), -1, -1],
    (f) => [join(f, 'nope'), 1, 1],
    (f) => [join(f, 'a.txt'), 'x', 1],
  ),
  ...both(
    'lchown',
    (f) => [join(f, 'link'), -1, -1],
    (f) => [join(f, 'nope'), 1, 1],
  ),
  ...both(
    'copyFile',
    (f) => [join(f, 'a.txt'), join(f, 'c.txt')],
    (f) => [join(f, 'nope'), join(f, 'c.txt')],
    (f) => [join(f, 'a.txt'), join(f, 'sub/b.txt'), fs.constants.COPYFILE_EXCL],
    (f) => [join(f, 'a.txt'), 5],
  ),
  ...both(
    'link',
    (f) => [join(f, 'a.txt'), join(f, 'hard')],
    (f) => [join(f, 'nope'), join(f, 'hard')],
    (f) => [join(f, 'a.txt'), join(f, 'sub')],
  ),
  ...both(
    'lstat',
    (f) => [join(f, 'link')],
    (f) => [join(f, 'a.txt')],
    (f) => [join(f, 'nope')],
  ),
  ...both(
    'stat',
    (f) => [join(f, 'link')],
    (f) => [join(f, 'sub')],
    (f) => [join(f, 'nope')],
    (f) => [join(f, 'a.txt/x')],
  ),
  ...both(
    'lutimes',
    (f) => [join(f, 'link'), 1, 2],
    (f) => [join(f, 'nope'), 1, 2],
  ),
  ...both(
    'utimes',
    (f) => [join(f, 'a.txt'), 1, 2.5],
    (f) => [join(f, 'a.txt'), new Date(5), '7'],
    (f) => [join(f, 'nope'), 1, 2],
    (f) => [join(f, 'a.txt'), 'x', 2],
  ),
  ...both(
    'mkdir',
    (f) => [join(f, 'made')],
    (f) => [join(f, 'x/y/z'), { recursive: true }],
    (f) => [join(f, 'sub'), { recursive: true }],
    (f) => [join(f, 'sub')],
    (f) => [join(f, 'no/x')],
    (f) => [join(f, 'a.txt/x'), { recursive: true }],
    (f) => [join(f, 'm'), { recursive: 1 }],
  ),
  ...both(
    'mkdtemp',
    (f) => [join(f, 'tmp-')],
    (f) => [join(f, 'no/tmp-')],
    () => [5],
  ),
  ...both(
    'open',
    (f) => [join(f, 'nope'), 'r'],
    (f) => [join(f, 'a.txt'), 'wx'],
    (f) => [join(f, 'a.txt'), 'zz'],
    (f) => [join(f, 'a.txt'), {}],
    () => [{}, 'r'],
  ),
  ...both(
    'readdir',
    (f) => [f],
    (f) => [f, { withFileTypes: true }],
    (f) => [f, { recursive: true }],
    (f) => [f, { recursive: true, withFileTypes: true }],
    (f) => [f, 'buffer'],
    (f) => [join(f, 'nope')],
    (f) => [join(f, 'a.txt')],
    (f) => [f, { recursive: 'x' }],
  ),
  ...both(
    'readFile',
    (f) => [join(f, 'a.txt')],
    (f) => [join(f, 'sub/b.txt'), 'utf8'],
    (f) => [join(f, 'sub/b.txt'), { encoding: 'latin1' }],
    (f) => [join(f, 'a.txt'), 'hex'],
    (f) => [join(f, 'nope')],
    (f) => [join(f, 'a.txt'), 'bad'],
    (f) => [join(f, 'a.txt'), 3],
    () => [{}],
    (f) => [join(f, 'new'), { flag: 'a+' }],
    (f) => [Buffer.from(join(f, 'a.txt')), 'utf8'],
    (f) => [new URL(`file://${f}/a.txt`), 'utf8'],
    () => [new URL('http://x/a')],
  ),
  ...both(
    'readlink',
    (f) => [join(f, 'link')],
    (f) => [join(f, 'link'), 'buffer'],
    (f) => [join(f, 'a.txt')],
    (f) => [join(f, 'nope')],
  ),
  ...both(
    'realpath',
    (f) => [join(f, 'link')],
    (f) => [join(f, 'sub/../a.txt')],
    (f) => [join(f, 'nope')],
  ),
  ...both(
    'rename',
    (f) => [join(f, 'a.txt'), join(f, 'z.txt')],
    (f) => [join(f, 'nope'), join(f, 'z.txt')],
    (f) => [join(f, 'a.txt'), join(f, 'sub')],
  ),
  ...both(
    'rm',
    (f) => [join(f, 'a.txt')],
    (f) => [join(f, 'sub'), { recursive: true }],
    (f) => [join(f, 'nope'), { force: true }],
    (f) => [join(f, 'nope')],
    (f) => [join(f, 'sub'), { recursive: 'yes' }],
    (f) => [join(f, 'a.txt'), { maxRetries: -1 }],
  ),
  ...both(
    'rmdir',
    (f) => [join(f, 'sub/deep')],
    (f) => [join(f, 'sub')],
    (f) => [join(f, 'nope')],
    (f) => [join(f, 'a.txt')],
  ),
  ...both(
    'symlink',
    (f) => ['a.txt', join(f, 'l2')],
    (f) => ['a.txt', join(f, 'link')],
    (f) => ['x', join(f, 'no/l')],
  ),
  ...both(
    'truncate',
    (f) => [join(f, 'a.txt'), 2],
    (f) => [join(f, 'a.txt')],
    (f) => [join(f, 'nope'), 2],
    (f) => [join(f, 'a.txt'), 1.5],
  ),
  ...both(
    'unlink',
    (f) => [join(f, 'a.txt')],
    (f) => [join(f, 'nope')],
  ),
  ...both(
    'writeFile',
    (f) => [join(f, 'w.txt'), 'text'],
    (f) => [join(f, 'w.txt'), new Uint16Array([1, 2])],
    (f) => [join(f, 'w.txt'), 'é', 'latin1'],
    (f) => [join(f, 'a.txt'), 'x', { flag: 'wx' }],
    (f) => [join(f, 'no/w.txt'), 'x'],
    (f) => [f, 'x'],
    (f) => [join(f, 'w'), {}],
    (f) => [join(f, 'w'), 5],
  ),
  ...both(
    'opendir',
    (f) => [join(f, 'nope')],
    () => [5],
  ),
  ...both(
    'statfs',
    () => ['/nope'],
    () => [5],
  ),
  ...both(
    'cp',
    (f) => [join(f, 'sub'), join(f, 'copy'), { recursive: true }],
    (f) => [join(f, 'a.txt'), join(f, 'c.txt'), {}],
    (f) => [join(f, 'nope'), join(f, 'c'), {}],
    (f) => [join(f, 'a.txt'), join(f, 'c'), { force: 1 }],
  ),
};

/** With an open file. */
function opened(flags: string, work: (fd: number, folder: string) => unknown): () => Promise<Outcome> {
  return inFolder(async (folder) => {
    const fd = fs.openSync(join(folder, 'a.txt'), flags);
    try {
      return await work(fd, folder);
    } finally {
      try {
        fs.closeSync(fd);
      } catch {
        // The program has closed it.
      }
    }
  });
}

const byDescriptor = {
  close: [
    opened('r', (fd) => called((done) => fs.close(fd, done as never))),
    () => called((done) => fs.close(99999, done as never)),
    () => fs.close('x' as never, () => {}),
  ],
  closeSync: [() => fs.closeSync(99999), () => fs.closeSync(-1), () => fs.closeSync('x' as never), () => fs.closeSync(1.5)],
  fchmod: [
    opened('r+', (fd) => called((done) => fs.fchmod(fd, 0o600, done as never))),
    () => called((done) => fs.fchmod(99999, 0o600, done as never)),
  ],
  fchmodSync: [opened('r+', (fd) => fs.fchmodSync(fd, 0o600)), () => fs.fchmodSync(99999, 0o600)],
  fchown: [opened('r+', (fd) => called((done) => fs.fchown(fd, -1, -1, done as never)))],
  fchownSync: [opened('r+', (fd) => fs.fchownSync(fd, -1, -1)), () => fs.fchownSync(1, 'x' as never, 1)],
  fdatasync: [opened('r+', (fd) => called((done) => fs.fdatasync(fd, done as never)))],
  fdatasyncSync: [opened('r+', (fd) => fs.fdatasyncSync(fd)), () => fs.fdatasyncSync(99999)],
  fstat: [opened('r', (fd) => called((done) => fs.fstat(fd, done as never)).then((all) => kinds(all[1] as fs.Stats)))],
  fstatSync: [opened('r', (fd) => [kinds(fs.fstatSync(fd)), fs.fstatSync(fd).size]), () => fs.fstatSync(99999)],
  fsync: [opened('r+', (fd) => called((done) => fs.fsync(fd, done as never)))],
  fsyncSync: [opened('r+', (fd) => fs.fsyncSync(fd)), () => fs.fsyncSync(99999)],
  ftruncate: [opened('r+', (fd, folder) => called((done) => fs.ftruncate(fd, 3, done as never)).then(() => read(join(folder, 'a.txt'))))],
  ftruncateSync: [
    opened('r+', (fd, folder) => [fs.ftruncateSync(fd, 2), read(join(folder, 'a.txt'))]),
    opened('r', (fd) => fs.ftruncateSync(fd, 2)),
  ],
  futimes: [opened('r+', (fd) => called((done) => fs.futimes(fd, 1, 2, done as never)).then(() => fs.fstatSync(fd).mtimeMs))],
  futimesSync: [
    opened('r+', (fd) => [fs.futimesSync(fd, 1, 2), fs.fstatSync(fd).mtimeMs, fs.fstatSync(fd).atime]),
    () => fs.futimesSync(1, 'x', 1),
  ],
  read: [
    opened('r', async (fd) => {
      const buffer = Buffer.alloc(4);
      const [, count, same] = await called((done) => fs.read(fd, buffer, 1, 2, 1, done as never));
      return [count, same === buffer, buffer.toString('latin1')];
    }),
    opened('r', async (fd) => (await promisify(fs.read)(fd, { buffer: Buffer.alloc(3) } as never)) as unknown),
    opened('r', (fd) => fs.read(fd, Buffer.alloc(2), 0, 5, 0, () => {})),
    () => fs.read(1, 'x' as never, () => {}),
  ],
  readSync: [
    opened('r', (fd) => {
      const buffer = Buffer.alloc(3);
      return [fs.readSync(fd, buffer), fs.readSync(fd, buffer), fs.readSync(fd, buffer), buffer];
    }),
    opened('r', (fd) => fs.readSync(fd, Buffer.alloc(2), { position: 3 })),
    opened('r', (fd) => fs.readSync(fd, new Uint16Array(2), 0, 4, 0n)),
    opened('r', (fd) => fs.readSync(fd, Buffer.alloc(0), 0, 1, 0)),
    opened('r', (fd) => fs.readSync(fd, Buffer.alloc(2), 3, 1, 0)),
    opened('r', (fd) => fs.readSync(fd, Buffer.alloc(2), 0, 2, 'x' as never)),
    () => fs.readSync(99999, Buffer.alloc(1)),
  ],
  readv: [
    opened('r', async (fd) => {
      const parts = [Buffer.alloc(2), Buffer.alloc(9)];
      const [, count] = await called((done) => fs.readv(fd, parts, done as never));
      return [count, parts];
    }),
  ],
  readvSync: [opened('r', (fd) => fs.readvSync(fd, [Buffer.alloc(2), Buffer.alloc(2)], 1)), () => fs.readvSync(1, 'x' as never)],
  write: [
    opened('r+', async (fd, folder) => [(await called((done) => fs.write(fd, 'é1', done as never))).slice(1), read(join(folder, 'a.txt'))]),
    opened('r+', async (fd, folder) => [
      (await called((done) => fs.write(fd, Buffer.from('xyz'), 1, 1, 2, done as never)))[1],
      read(join(folder, 'a.txt')),
    ]),
    opened('r', (fd) => called((done) => fs.write(fd, 'x', done as never))),
    () => fs.write(1, {} as never, () => {}),
  ],
  writeSync: [
    opened('r+', (fd, folder) => [
      fs.writeSync(fd, 'Z'),
      fs.writeSync(fd, 'Q', 3),
      fs.writeSync(fd, 'ff', null, 'hex'),
      read(join(folder, 'a.txt')),
    ]),
    opened('r+', (fd, folder) => [fs.writeSync(fd, Buffer.from('abc'), { offset: 1, length: 1 } as never), read(join(folder, 'a.txt'))]),
    opened('r+', (fd) => fs.writeSync(fd, Buffer.from('abc'), 2, 5)),
    () => fs.writeSync(99999, 'x'),
    () => fs.writeSync(1, 5 as never),
  ],
  writev: [
    opened('r+', async (fd, folder) => [
      (await called((done) => fs.writev(fd, [Buffer.from('1'), Buffer.from('23')], done as never)))[1],
      read(join(folder, 'a.txt')),
    ]),
  ],
  writevSync: [opened('r+', (fd, folder) => [fs.writevSync(fd, [Buffer.from('1'), Buffer.from('2')], 3), read(join(folder, 'a.txt'))])],
};

/** Events of a stream until it is closed. */
function life(stream: fs.ReadStream | fs.WriteStream, ...names: string[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const name of names)
    stream.on(name, (value: unknown) =>
      seen.push([name, typeof value === 'number' ? 'number' : value instanceof Error ? value.message : String(value ?? '')]),
    );
  return new Promise((resolve) => {
    stream.on('close', () => resolve(seen));
  });
}

const readEvents = ['open', 'ready', 'data', 'end', 'error', 'close'];
const writeEvents = ['open', 'ready', 'finish', 'error', 'close'];

const streams = {
  createReadStream: [
    inFolder((f) => life(fs.createReadStream(join(f, 'a.txt')), ...readEvents)),
    inFolder((f) => life(fs.createReadStream(join(f, 'a.txt'), { encoding: 'utf8', start: 1, end: 3, highWaterMark: 2 }), ...readEvents)),
    inFolder((f) =>
      life(fs.createReadStream(join(f, 'nope')), ...readEvents).then((all) =>
        without(JSON.parse(JSON.stringify(all).replaceAll(f, '<folder>')), f),
      ),
    ),
    opened('r', (fd) => life(fs.createReadStream('', { fd, start: 2 }), 'data', 'end', 'close')),
    inFolder((f) => fs.createReadStream(join(f, 'a.txt'), { start: 5, end: 2 })),
    () => fs.createReadStream(5 as never),
  ],
  createWriteStream: [
    inFolder(async (f) => {
      const stream = fs.createWriteStream(join(f, 'w.txt'));
      const events = life(stream, ...writeEvents);
      stream.write('one ');
      stream.end('two');
      return [await events, stream.bytesWritten, read(join(f, 'w.txt'))];
    }),
    inFolder(async (f) => {
      const stream = fs.createWriteStream(join(f, 'a.txt'), { flags: 'r+', start: 2 });
      const events = life(stream, ...writeEvents);
      stream.end('ZZ');
      return [await events, read(join(f, 'a.txt'))];
    }),
    inFolder(
      async (f) =>
        JSON.parse(JSON.stringify(await life(fs.createWriteStream(join(f, 'no/w')), ...writeEvents)).replaceAll(f, '<folder>')) as unknown,
    ),
  ],
  ReadStream: [
    () => typeof fs.ReadStream,
    inFolder((f) => life(new (fs.ReadStream as unknown as new (path: string) => fs.ReadStream)(join(f, 'a.txt')), 'data', 'close')),
  ],
  'ReadStream#close': [
    inFolder((f) => new Promise((resolve) => fs.createReadStream(join(f, 'a.txt')).close((error) => resolve(String(error))))),
  ],
  'ReadStream#autoClose': [inFolder((f) => life(fs.createReadStream(join(f, 'a.txt'), { autoClose: true }).resume(), 'close'))],
  'ReadStream#pending': [
    inFolder(async (f) => {
      const s = fs.createReadStream(join(f, 'a.txt'));
      const before = s.pending;
      await life(s.resume(), 'close');
      return before;
    }),
  ],
  'ReadStream#_construct': [() => typeof (fs.ReadStream.prototype as { _construct?: unknown })._construct],
  'ReadStream#_read': [() => typeof fs.ReadStream.prototype._read],
  'ReadStream#_destroy': [() => typeof fs.ReadStream.prototype._destroy],
  WriteStream: [() => typeof fs.WriteStream],
  'WriteStream#close': [
    inFolder(async (f) => {
      const s = fs.createWriteStream(join(f, 'w'));
      s.write('x');
      await new Promise((resolve) => s.close(resolve));
      return read(join(f, 'w'));
    }),
  ],
  'WriteStream#destroySoon': [
    inFolder(async (f) => {
      const s = fs.createWriteStream(join(f, 'w'));
      const end = life(s, 'finish', 'close');
      (s as unknown as { destroySoon(): void }).destroySoon();
      return end;
    }),
  ],
  'WriteStream#pending': [
    inFolder(async (f) => {
      const s = fs.createWriteStream(join(f, 'w'));
      const before = s.pending;
      s.end();
      await life(s, 'close');
      return before;
    }),
  ],
  'WriteStream#autoClose': [
    inFolder(async (f) => {
      const s = fs.createWriteStream(join(f, 'w'), { autoClose: true });
      s.end();
      return [(s as unknown as { autoClose: boolean }).autoClose, await life(s, 'finish', 'close')];
    }),
  ],
  'WriteStream#_construct': [() => typeof (fs.WriteStream.prototype as { _construct?: unknown })._construct],
  'WriteStream#_write': [() => typeof fs.WriteStream.prototype._write],
  'WriteStream#_writev': [() => typeof fs.WriteStream.prototype._writev],
  'WriteStream#_destroy': [() => typeof fs.WriteStream.prototype._destroy],
  FileReadStream: [() => (fs as unknown as Record<string, unknown>)['FileReadStream'] === fs.ReadStream],
  FileWriteStream: [() => (fs as unknown as Record<string, unknown>)['FileWriteStream'] === fs.WriteStream],
};
for (const [alias, name] of [
  ['FileReadStream', 'ReadStream'],
  ['FileWriteStream', 'WriteStream'],
] as const) {
  for (const [key, programs] of Object.entries(streams)) {
    if (key.startsWith(`${name}#`))
      (streams as Record<string, (() => unknown)[]>)[key.replace(name, alias)] = programs as (() => unknown)[];
  }
}

const stats = (path: string): fs.Stats => fs.statSync(path);
const entry = (f: string, name: string): fs.Dirent =>
  fs.readdirSync(f, { withFileTypes: true }).find((one) => one.name === name) as fs.Dirent;
const tests = ['isDirectory', 'isFile', 'isBlockDevice', 'isCharacterDevice', 'isSymbolicLink', 'isFIFO', 'isSocket'] as const;

const classes = {
  Stats: [
    inFolder((f) => Object.keys(stats(f))),
    inFolder((f) => {
      const s = stats(join(f, 'a.txt'));
      return [s.size, s.nlink, s.mode & 0o170000, s.mtime instanceof Date, s.mtime.getTime() === Math.round(s.mtimeMs)];
    }),
    inFolder((f) => Object.keys(fs.statSync(f, { bigint: true }))),
    inFolder((f) => {
      const s = fs.statSync(join(f, 'a.txt'), { bigint: true });
      return [s.size, s.mtimeNs / 1_000_000n === s.mtimeMs, typeof s.ino];
    }),
  ],
  ...Object.fromEntries(
    tests.map((name) => [
      `Stats#${name}`,
      [
        inFolder((f) => [
          stats(f)[name](),
          stats(join(f, 'a.txt'))[name](),
          fs.lstatSync(join(f, 'link'))[name](),
          stats('/dev/null')[name](),
        ]),
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['atime', 'mtime', 'ctime', 'birthtime'].map((name) => [
      `Stats#${name}`,
      [inFolder((f) => (stats(f) as unknown as Record<string, unknown>)[name] instanceof Date)],
    ]),
  ),
  'Stats#_checkModeProperty': [
    inFolder((f) => (stats(f) as unknown as { _checkModeProperty(mode: number): boolean })._checkModeProperty(0o040000)),
  ],
  Dirent: [
    inFolder((f) => {
      const one = entry(f, 'sub');
      return [
        Object.keys(one)
          .filter((key) => key !== 'path')
          .sort(),
        one.name,
        one.parentPath,
      ];
    }),
  ],
  ...Object.fromEntries(
    tests.map((name) => [
      `Dirent#${name}`,
      [inFolder((f) => [entry(f, 'sub')[name](), entry(f, 'a.txt')[name](), entry(f, 'link')[name]()])],
    ]),
  ),
  Dir: [
    inFolder((f) => {
      const dir = fs.opendirSync(f);
      const names = [];
      for (let one = dir.readSync(); one; one = dir.readSync()) names.push(one.name);
      dir.closeSync();
      return names.sort();
    }),
  ],
  'Dir#path': [
    inFolder((f) => {
      const dir = fs.opendirSync(f);
      dir.closeSync();
      return dir.path;
    }),
  ],
  'Dir#read': [
    inFolder(async (f) => {
      const dir = fs.opendirSync(join(f, 'sub/deep'));
      const one = await dir.read();
      const two = await called((done) => dir.read(done as never));
      dir.closeSync();
      return [one, two];
    }),
  ],
  'Dir#readSync': [
    inFolder((f) => {
      const dir = fs.opendirSync(join(f, 'sub/deep'));
      dir.closeSync();
      return dir.readSync();
    }),
  ],
  'Dir#close': [
    inFolder(async (f) => {
      const dir = fs.opendirSync(f);
      await dir.close();
      return dir.close();
    }),
    inFolder((f) => called((done) => fs.opendirSync(f).close(done as never))),
  ],
  'Dir#closeSync': [
    inFolder((f) => {
      const dir = fs.opendirSync(f);
      dir.closeSync();
      dir.closeSync();
    }),
  ],
  'Dir#entries': [
    inFolder(async (f) => {
      const names = [];
      for await (const one of fs.opendirSync(f)) names.push(one.name);
      return names.sort();
    }),
  ],
};

const globbed = (pattern: string, cwd: string): string[] =>
  (any['globSync'] as (pattern: string, options: object) => string[])(pattern, { cwd });

const PATTERNS =
  '** */ */** **/ ./** .* **/.* @(a|b)*/ +(x|y) !(b)/* {a,b}/** [[:alpha:]]* . .. ./ a/.. link/* *link/* link/** link/ broken/ b/../* **/a a//*'.split(
    ' ',
  );

/** A tree with hidden files, and links to a folder and to nothing. */
function planted(f: string): string {
  for (const folder of ['a/b/c', 'a/.h', 'b/a', '.d']) fs.mkdirSync(join(f, 'tree', folder), { recursive: true });
  for (const file of ['a/b/x', 'a/.h/y', 'b/a/x', '.f', 'x', 'yx']) fs.writeFileSync(join(f, 'tree', file), '');
  fs.symlinkSync('a', join(f, 'tree', 'link'));
  fs.symlinkSync('nowhere', join(f, 'tree', 'broken'));
  return join(f, 'tree');
}

function everyPattern(f: string): unknown {
  const cwd = planted(f);
  return PATTERNS.map((pattern) => [pattern, globbed(pattern, cwd).sort()]);
}

const EXCLUDED = [['a/**'], ['**/b', 'x'], ['a'], ['./b'], (name: string) => name === 'b', (name: string) => name.endsWith('x'), ['*/*']];

function everyExclusion(f: string): unknown {
  const cwd = planted(f);
  const found = (exclude: unknown, pattern: string): string[] =>
    (any['globSync'] as (pattern: string, options: object) => string[])(pattern, { cwd, exclude }).sort();
  return EXCLUDED.map((exclude) => ['**', '*', 'a/*', '**/x', '*/b'].map((pattern) => found(exclude, pattern)));
}

const rest = {
  'readFile of a folder': [inFolder((f) => called((done) => fs.readFile(f, done as never))), inFolder((f) => fs.readFileSync(f))],
  constants: [
    () =>
      ['O_RDONLY', 'O_CREAT', 'S_IFMT', 'S_IFREG', 'F_OK', 'R_OK', 'COPYFILE_EXCL', 'UV_DIRENT_DIR', 'O_APPEND', 'S_IRWXU'].map(
        (name) => (fs.constants as Record<string, number>)[name],
      ),
  ],
  exists: [
    inFolder((f) => new Promise((resolve) => fs.exists(join(f, 'a.txt'), resolve))),
    inFolder((f) => promisify(fs.exists)(join(f, 'nope'))),
    () => fs.exists('/x', undefined as never),
  ],
  existsSync: [inFolder((f) => [fs.existsSync(f), fs.existsSync(join(f, 'nope')), fs.existsSync(join(f, 'link'))])],
  'stat without an entry': [() => fs.statSync('/nope', { throwIfNoEntry: false }), () => fs.lstatSync('/nope', { throwIfNoEntry: false })],
  'read after write': [
    inFolder((f) => {
      fs.appendFileSync(join(f, 'a.txt'), '!');
      fs.copyFileSync(join(f, 'a.txt'), join(f, 'c'));
      fs.renameSync(join(f, 'c'), join(f, 'd'));
      return [read(join(f, 'd')), fs.readdirSync(f).sort()];
    }),
  ],
  'readFile by descriptor': [
    opened('r', (fd) => [fs.readFileSync(fd, 'utf8'), fs.readFileSync(fd, 'utf8')]),
    opened('r+', (fd, f) => [fs.writeFileSync(fd, 'xy'), read(join(f, 'a.txt'))]),
  ],
  'an aborted read': [
    inFolder((f) =>
      called((done) => fs.readFile(join(f, 'a.txt'), { signal: AbortSignal.abort() }, done as never)).catch((error: Failure) => [
        error.name,
        error.code,
      ]),
    ),
  ],
  'a copied tree': [
    inFolder((f) => {
      fs.cpSync(join(f, 'sub'), join(f, 'copy'), { recursive: true });
      return (fs.readdirSync(join(f, 'copy'), { recursive: true }) as string[]).sort();
    }),
  ],
  'realpath.native': [
    inFolder((f) => called((done) => fs.realpath.native(join(f, 'link'), done as never))),
    inFolder((f) => fs.realpathSync.native(join(f, 'nope'))),
  ],
  mkdtempDisposableSync: [
    inFolder((f) => {
      const made = (fs as unknown as { mkdtempDisposableSync(p: string): { path: string; remove(): void } }).mkdtempDisposableSync(
        join(f, 'tmp-'),
      );
      const there = fs.existsSync(made.path);
      made.remove();
      return [made.path, there, fs.existsSync(made.path)];
    }),
  ],
  glob: [inFolder((f) => called((done) => (any['glob'] as (...args: unknown[]) => void)('**/*.txt', { cwd: f }, done)).then(shown))],
  globSync: [inFolder((f) => globbed('*.txt', f).sort()), inFolder((f) => globbed('**/{b,deep}*', f).sort())],
  'patterns of globSync': [inFolder(everyPattern)],
  'exclusions of globSync': [
    inFolder(everyExclusion),
    () => (any['globSync'] as (...args: unknown[]) => unknown)('*', { exclude: 5 }),
    ...[1, [1], null].map((pattern) => () => (any['globSync'] as (...args: unknown[]) => unknown)(pattern)),
  ],
  openAsBlob: [inFolder(async (f) => (await fs.openAsBlob(join(f, 'a.txt'))).text())],
  promises: [() => typeof fs.promises.readFile],
  watchFile: [
    inFolder((f) => {
      const listener = (): void => {};
      const watcher = fs.watchFile(join(f, 'a.txt'), { interval: 60_000 }, listener);
      fs.unwatchFile(join(f, 'a.txt'), listener);
      return typeof watcher.ref;
    }),
    () => fs.watchFile('/x', 5 as never),
  ],
  unwatchFile: [() => fs.unwatchFile('/never/watched')],
  lchmod: [() => typeof fs.lchmod],
  lchmodSync: [() => typeof fs.lchmodSync],
};

export default cases(
  'fs',
  { ...members, ...byDescriptor, ...streams, ...classes, ...rest },
  {
    missing: {
      watch: 'events of the file system are not passed on; `watchFile` looks from time to time',
      openAsBlobSync: 'use `openAsBlob`',
      _toUnixTimestamp: 'an internal function',
      Utf8Stream: 'a stream for loggers, new in Node 24',
      'Stats#atimeInstant': '`Temporal` is not there',
      'Stats#mtimeInstant': '`Temporal` is not there',
      'Stats#ctimeInstant': '`Temporal` is not there',
      'Stats#birthtimeInstant': '`Temporal` is not there',
    },
    since: {
      mkdtempDisposableSync: 24,
      'readFile of a folder': 24,
      glob: 22,
      globSync: 22,
      'patterns of globSync': 26,
      'exclusions of globSync': 26,
      Dirent: 24,
      Stats: 24,
    },
  },
);
