// The operations of `fs` on paths and open files, for the table of `cases.ts`.
import { ascii, type Case, type Cases, folder, fs, ops, read } from './support.ts';

const operations = ops.call('fs');
const CONTENT = ascii('content of a file, forty bytes of it.....');
const file = `${folder}/file`;
fs.writeFileSync(file, CONTENT);
fs.mkdirSync(`${folder}/full`);
fs.symlinkSync('file', `${folder}/link`);

/** A path of a multiple of eight bytes, so that views of all kinds can hold it. */
function path(name: string): Uint8Array {
  const plain = `${folder}/${name}`;
  const slashes = '/'.repeat((8 - (plain.length % 8)) % 8);
  return ascii(`${folder}/${slashes}${name}`);
}

/** Of a `stat`, what is the same each time. */
const stable = (value: unknown): unknown => (value instanceof Float64Array ? [...value].slice(0, 10) : value);
const on = (name: string, operation: string, ...rest: unknown[]): Case => ({
  content: path(name),
  call: (value) => stable(operations.call(operation, value, ...rest)),
});
const second = (name: string, operation: string, first: string, ...rest: unknown[]): Case => ({
  content: path(name),
  call: (value) => operations.call(operation, first, value, ...rest),
});
const READ = 0;
const WRITE = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_TRUNC;
const EXISTS = file;

export const files: Cases = {
  'FileOperations.access path': on('file', 'access', 4),
  'FileOperations.chmod path': on('file', 'chmod', 0o644),
  'FileOperations.chown path': on('file', 'chown', -1, -1, true),
  'FileOperations.copyFile from': on('file', 'copyFile', `${folder}/copy`, 0),
  'FileOperations.copyFile to': second('copy', 'copyFile', EXISTS, 0),
  'FileOperations.link from': on('file', 'link', EXISTS),
  'FileOperations.link to': second('file', 'link', EXISTS),
  'FileOperations.lstat path': on('link', 'lstat'),
  'FileOperations.mkdir path': on('full', 'mkdir', 0o755, true),
  // The name it makes is another each time.
  'FileOperations.mkdtemp prefix': { content: path('made-'), call: (value) => String(operations.call('mkdtemp', value)).length },
  'FileOperations.open path': {
    content: path('file'),
    call: (value) => {
      const fd = operations.call('open', value, READ, 0) as unknown as number;
      return fd < 0 ? fd : operations.call('close', fd);
    },
  },
  'FileOperations.read target': {
    content: ascii('a target to read into, of 40 bytes......'),
    call: (value) => {
      const fd = fs.openSync('/dev/zero', 'r');
      try {
        return operations.call('read', fd, value, -1);
      } finally {
        fs.closeSync(fd);
      }
    },
  },
  'FileOperations.readFile path': on('file', 'readFile', READ),
  'FileOperations.readdir path': on('full', 'readdir', false),
  'FileOperations.readlink path': on('link', 'readlink'),
  'FileOperations.realpath path': on('link', 'realpath'),
  'FileOperations.rename from': on('file', 'rename', EXISTS),
  'FileOperations.rename to': second('file', 'rename', EXISTS),
  'FileOperations.rm path': on('none', 'rm', false, true),
  'FileOperations.rmdir path': on('file', 'rmdir'),
  'FileOperations.stat path': on('file', 'stat'),
  'FileOperations.statfs path': { content: path('file'), call: (value) => typeof operations.call('statfs', value) },
  'FileOperations.symlink at': second('file', 'symlink', EXISTS),
  'FileOperations.symlink target': on('file', 'symlink', EXISTS),
  'FileOperations.truncate path': on('file', 'truncate', CONTENT.length),
  'FileOperations.unlink path': on('full', 'unlink'),
  'FileOperations.utimes path': on('file', 'utimes', 1, 1, true),
  'FileOperations.write data': { content: CONTENT.subarray(0, 40), call: (value) => read((fd) => operations.call('write', fd, value, -1)) },
  'FileOperations.writeFile data': {
    content: CONTENT.subarray(0, 40),
    call: (value) => [operations.call('writeFile', `${folder}/other`, value, WRITE, 0o644), new Uint8Array(fs.readFileSync(`${folder}/other`))],
  },
  'FileOperations.writeFile path': on('other', 'writeFile', CONTENT, WRITE, 0o644),
};
