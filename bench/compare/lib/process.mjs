// Starting a contestant on its core and reading what it costs, from outside: CPU and memory of its whole process tree from /proc.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

export const serverCore = 0;
export const loadCore = 1;

const startTimeoutMs = 20_000;
/** `USER_HZ`: what /proc counts CPU time in. */
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Starts `command` pinned to the server's core; resolves with its port once a line that it printed ends with it. */
export function startServer({ command, args, env }) {
  const child = spawn('taskset', ['-c', String(serverCore), command, ...args], {
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  return new Promise((resolve, reject) => {
    const fail = (reason) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`${reason}\n${output}${errors}`.trim()));
    };
    const timer = setTimeout(() => fail('did not start in time'), startTimeoutMs);
    const listen = (data) => {
      output = (output + data).slice(-4000);
      const port = /(?:^|\D)(\d{4,5})\s*$/m.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      child.removeListener('exit', exited);
      resolve({ child, port: Number(port), errors: () => errors });
    };
    const exited = (code, signal) => fail(`ended with ${code ?? signal} before it listened`);
    child.stdout.on('data', listen);
    child.stderr.on('data', (data) => {
      errors = (errors + data).slice(-4000);
    });
    child.once('exit', exited);
    child.once('error', (error) => fail(error.message));
  });
}

/** Ends a server and waits until it is gone. */
export function stopServer({ child }) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

/** CPU seconds (user + system) used so far by `pid`, its children and theirs. */
export function cpuSeconds(pid) {
  return tree(pid).reduce((sum, id) => sum + ticksOf(id), 0) / ticksPerSecond;
}

/** Resident memory in bytes: `rss` counts shared pages in full, `pss` in proportion. */
export function memory(pid) {
  const sum = { rss: 0, pss: 0 };
  for (const id of tree(pid)) {
    const text = readText(`/proc/${id}/smaps_rollup`);
    sum.rss += kibibytes(text, 'Rss');
    sum.pss += kibibytes(text, 'Pss');
  }
  return sum;
}

function kibibytes(text, field) {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
}

function tree(pid) {
  const children = existsSync(`/proc/${pid}/task`)
    ? readdirSync(`/proc/${pid}/task`).flatMap((task) =>
        readText(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
      )
    : [];
  return [pid, ...children.flatMap(tree)];
}

function ticksOf(pid) {
  const text = readText(`/proc/${pid}/stat`);
  // The command name, in parentheses, may hold spaces; utime and stime are the 12th and 13th fields after it, those of reaped children follow.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
