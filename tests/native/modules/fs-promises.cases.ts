import fs from 'node:fs';
import promises from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { cases } from '../harness/cases.ts';

type Failure = NodeJS.ErrnoException;

function inFolder(work: (folder: string) => unknown): () => Promise<unknown> {
  return async () => {
    const folder = fs.realpathSync(fs.mkdtempSync(join(process.env['TMPDIR'] ?? '/tmp', 'fulmar-fsp-')));
    fs.mkdirSync(join(folder, 'sub'));
    fs.writeFileSync(join(folder, 'a.txt'), 'alpha\nbeta\n');
    fs.symlinkSync('a.txt', join(folder, 'link'));
    const hide = (text: string): string => text.replaceAll(folder, '<folder>').replaceAll(/(tmp-)[A-Za-z0-9]{6}/g, '$1XXXXXX');
    try {
      const value = await work(folder);
      return typeof value === 'string'
        ? hide(value)
        : Array.isArray(value)
          ? value.map((one: unknown) => (typeof one === 'string' ? hide(one) : one))
          : value;
    } catch (error) {
      const { name, message, code, errno, syscall } = error as Failure;
      throw Object.assign(new Error(hide(`${name}: ${message}`)), { code, errno, syscall });
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  };
}

const a = (folder: string): string => join(folder, 'a.txt');
const no = (folder: string): string => join(folder, 'nope');
const read = (path: string): string => fs.readFileSync(path, 'utf8');

function withHandle(flags: string, work: (handle: promises.FileHandle, folder: string) => unknown): () => Promise<unknown> {
  return inFolder(async (folder) => {
    const handle = await promises.open(a(folder), flags);
    try {
      return await work(handle, folder);
    } finally {
      await handle.close();
    }
  });
}

const newer = promises as unknown as Record<string, (...args: unknown[]) => never>;

export default cases(
  'fs/promises',
  {
    access: [inFolder((f) => promises.access(a(f))), inFolder((f) => promises.access(no(f))), () => promises.access(5 as never)],
    appendFile: [
      inFolder(async (f) => [await promises.appendFile(a(f), '!'), read(a(f))]),
      inFolder((f) => promises.appendFile(join(f, 'no/x'), '!')),
    ],
    chmod: [inFolder((f) => promises.chmod(a(f), 0o600)), inFolder((f) => promises.chmod(no(f), 0o600))],
    chown: [inFolder((f) => promises.chown(a(f), -1, -1))],
    lchown: [inFolder((f) => promises.lchown(join(f, 'link'), -1, -1))],
    lchmod: [() => promises.lchmod('/x', 0o600)],
    copyFile: [
      inFolder(async (f) => [await promises.copyFile(a(f), join(f, 'c')), read(join(f, 'c'))]),
      inFolder((f) => promises.copyFile(no(f), join(f, 'c'))),
    ],
    cp: [
      inFolder(async (f) => [
        await promises.cp(f, `${f}/../${f.split('/').pop()}-copy`, { recursive: true }),
        fs.rmSync(`${f}-copy`, { recursive: true }),
      ]),
      inFolder((f) => promises.cp(join(f, 'sub'), join(f, 'c'))),
    ],
    glob: [
      inFolder(async (f) => {
        const all = [];
        for await (const one of (newer['glob'] as (...args: unknown[]) => unknown)('*.txt', { cwd: f }) as AsyncIterable<string>)
          all.push(one);
        return all;
      }),
    ],
    link: [inFolder(async (f) => [await promises.link(a(f), join(f, 'l')), read(join(f, 'l')).length])],
    lstat: [inFolder(async (f) => (await promises.lstat(join(f, 'link'))).isSymbolicLink()), inFolder((f) => promises.lstat(no(f)))],
    lutimes: [inFolder((f) => promises.lutimes(join(f, 'link'), 1, 2))],
    mkdir: [
      inFolder((f) => promises.mkdir(join(f, 'd'))),
      inFolder((f) => promises.mkdir(join(f, 'd/e'), { recursive: true })),
      inFolder((f) => promises.mkdir(join(f, 'sub'))),
    ],
    mkdtemp: [inFolder((f) => promises.mkdtemp(join(f, 'tmp-')))],
    mkdtempDisposable: [
      inFolder(async (f) => {
        const made = (await newer['mkdtempDisposable']?.(join(f, 'tmp-'))) as unknown as { path: string; remove(): Promise<void> };
        await made.remove();
        return [made.path, fs.existsSync(made.path)];
      }),
    ],
    open: [
      withHandle('r', (handle) => [typeof handle.fd, handle.constructor.name]),
      inFolder((f) => promises.open(no(f))),
      withHandle('r', async (handle) => [(await handle.readFile('utf8')).length, (await handle.stat()).isFile()]),
      withHandle('r+', async (handle, f) =>
        [await handle.write('ZZ', 0), (await handle.read(Buffer.alloc(3), 0, 3, 0)).buffer.toString(), read(a(f))].slice(1),
      ),
      withHandle('r+', async (handle, f) => [
        await handle.writeFile('one'),
        await handle.appendFile('two'),
        await handle.truncate(4),
        read(a(f)),
      ]),
      withHandle('r+', async (handle) => [
        await handle.sync(),
        await handle.datasync(),
        await handle.chmod(0o600),
        await handle.chown(-1, -1),
        await handle.utimes(1, 2),
      ]),
      withHandle('r+', async (handle, f) => [
        (await handle.writev([Buffer.from('a'), Buffer.from('b')])).bytesWritten,
        (await handle.readv([Buffer.alloc(2)], 0)).bytesRead,
        read(a(f)),
      ]),
      withHandle('r', async (handle) => {
        const lines = [];
        for await (const line of handle.readLines()) lines.push(line);
        return lines;
      }),
      withHandle('r', async (handle) => {
        const parts = [];
        for await (const part of handle.createReadStream({ encoding: 'utf8' })) parts.push(part);
        return parts;
      }),
      withHandle('w', async (handle, f) => {
        const stream = handle.createWriteStream();
        stream.end('streamed');
        await new Promise((resolve) => stream.on('close', resolve));
        return read(a(f));
      }),
      withHandle('r', async (handle) => {
        await handle.close();
        return handle.stat();
      }),
    ],
    opendir: [
      inFolder(async (f) => {
        const names = [];
        for await (const one of await promises.opendir(f)) names.push(one.name);
        return names.sort();
      }),
      inFolder((f) => promises.opendir(no(f))),
    ],
    readdir: [inFolder(async (f) => (await promises.readdir(f)).sort()), inFolder((f) => promises.readdir(no(f)))],
    readFile: [
      inFolder((f) => promises.readFile(a(f), 'utf8')),
      inFolder((f) => promises.readFile(no(f))),
      inFolder((f) => promises.readFile(a(f), { signal: AbortSignal.abort() })),
      withHandle('r', (handle) => promises.readFile(handle, 'utf8')),
    ],
    readlink: [inFolder((f) => promises.readlink(join(f, 'link')))],
    realpath: [inFolder((f) => promises.realpath(join(f, 'sub/../link'))), inFolder((f) => promises.realpath(no(f)))],
    rename: [inFolder(async (f) => [await promises.rename(a(f), join(f, 'z')), fs.existsSync(a(f))])],
    rm: [
      inFolder((f) => promises.rm(f, { recursive: true })),
      inFolder((f) => promises.rm(no(f))),
      inFolder((f) => promises.rm(no(f), { force: true })),
    ],
    rmdir: [inFolder((f) => promises.rmdir(join(f, 'sub'))), inFolder((f) => promises.rmdir(f))],
    stat: [inFolder(async (f) => (await promises.stat(a(f))).size), inFolder((f) => promises.stat(no(f)))],
    statfs: [async () => typeof (await promises.statfs('/')).bsize],
    symlink: [inFolder(async (f) => [await promises.symlink('a.txt', join(f, 's')), fs.readlinkSync(join(f, 's'))])],
    truncate: [inFolder(async (f) => [await promises.truncate(a(f), 3), read(a(f))])],
    unlink: [inFolder((f) => promises.unlink(a(f))), inFolder((f) => promises.unlink(no(f)))],
    utimes: [inFolder(async (f) => [await promises.utimes(a(f), 1, 2), fs.statSync(a(f)).mtimeMs])],
    writeFile: [
      inFolder(async (f) => [await promises.writeFile(a(f), 'new'), read(a(f))]),
      inFolder(async (f) => [await promises.writeFile(a(f), Readable.from(['x', 'y'])), read(a(f))]),
      inFolder(async (f) => [await promises.writeFile(a(f), ['p', Buffer.from('q')] as never), read(a(f))]),
      inFolder((f) => promises.writeFile(a(f), 5 as never)),
      inFolder((f) => promises.writeFile(join(f, 'no/x'), 'x')),
    ],
    'readFile of a folder': [inFolder((f) => promises.readFile(f))],
    constants: [() => [promises.constants.R_OK, promises.constants.O_RDWR]],
  },
  {
    missing: { watch: 'events of the file system are not passed on; `fs.watchFile` looks from time to time' },
    since: { glob: 22, statfs: 20, mkdtempDisposable: 24, 'readFile of a folder': 24 },
  },
);
