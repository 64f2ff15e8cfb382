/**
 * One PostgreSQL server process on a temporary folder: made, started, watched, ended. database.mjs fills it.
 * The process gets SIGINT from the kernel when this process dies without ending it (its folder stays until
 * the next start). Never touches another server or its files.
 */
import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { settings } from './settings.mjs';

/** An immediate shutdown takes milliseconds; after this the processes are killed. */
const stopTimeoutMs = 10_000;
const logBytesShown = 2000;
const folderPrefix = 'fulmar-database-';

/** Makes a cluster in a new folder that `owner` can write; `{ folder, data }`. */
export async function createCluster({ bin, owner, password }) {
  removeStale(owner);
  const folder = mkdtempSync(join(tmpdir(), folderPrefix));
  writeFileSync(join(folder, 'parent'), String(process.pid));
  const passwordFile = join(folder, 'password');
  const data = join(folder, 'data');
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (owner !== undefined) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid);
    const args = ['--pgdata', data, '--username=bench', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    args.push('--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions');
    await promisify(execFile)(join(bin, 'initdb'), args, { cwd: folder, ...identity(owner) });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { folder, data };
}

/** Removes the folders of processes that died without removing them. */
function removeStale(owner) {
  const uid = owner?.uid ?? process.getuid?.();
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (!name.startsWith(folderPrefix) || lstatSync(folder, { throwIfNoEntry: false })?.uid !== uid) continue;
    const pid = readParent(folder);
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(folder, { recursive: true, force: true });
  }
}

function readParent(folder) {
  try {
    return readFileSync(join(folder, 'parent'), 'utf8').match(/^\d+$/)?.[0];
  } catch {
    return undefined;
  }
}

/**
 * Starts postgres on a free port; `{ port, pid, exited, log(), stop(), kill() }`. Not yet ready for
 * connections.
 */
export async function startServer({ bin, owner, data, core }) {
  const port = await freePort();
  const options = settings.flatMap(({ name, value }) => ['-c', `${name}=${value}`]);
  const server = [join(bin, 'postgres'), '-D', data, '-h', '127.0.0.1', '-p', String(port), ...options];
  // setpriv and taskset become postgres (exec): the child's pid is the server's.
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)];
  const [program, ...args] = ['setpriv', '--pdeathsig', 'INT', ...pinned, ...server];
  const child = spawn(program, args, { cwd: data, detached: true, stdio: ['ignore', 'ignore', 'pipe'], ...identity(owner) });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-logBytesShown)));
  const exited = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
    child.once('error', (error) => resolve(explain(error, program)));
  });
  return { port, pid: child.pid, exited, log: () => log, stop: () => stop(child, exited), kill: () => kill(serverPids(child.pid)) };
}

/** Pids of the server and of its backends, while it runs. */
export function serverPids(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
  } catch {
    return [];
  }
}

async function stop(child, exited) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const pids = serverPids(child.pid);
  // Immediate shutdown: the data are thrown away.
  child.kill('SIGQUIT');
  const timer = setTimeout(() => kill([child.pid, ...pids]), stopTimeoutMs);
  await exited;
  clearTimeout(timer);
}

function kill(pids) {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

function identity(owner) {
  return owner === undefined ? {} : { uid: owner.uid, gid: owner.gid };
}

function explain(error, program) {
  return error.code === 'ENOENT' ? `${program} not found: run \`apt-get install util-linux\`` : error.message;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
