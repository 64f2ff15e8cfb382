/**
 * `npm start`: set-up, a build of what serving needs, then the example application through `fulmar run`, on
 * PORT (3000 when it is not set).
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { packageDir, root, runMain } from './lib/run.mjs';

const exampleDir = join(root, 'examples', 'express-app');

const watchShellMs = 500;

async function main() {
  const shell = process.ppid;
  await build({ native: false, guests: false, load: false });
  const env = { ...process.env, PORT: process.env.PORT ?? '3000' };
  const args = [join(packageDir, 'bin', 'fulmar.cjs'), 'run', join(exampleDir, 'server.js'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: exampleDir, env, stdio: 'inherit' });
  forwardSignals(child);
  followShell(child, shell);
  child.on('error', (error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128);
  });
}

/**
 * A terminal sends Ctrl-C to the whole foreground group, so the child has SIGINT already: forwarding it would
 * count as the second signal, which ends the server at once. SIGTERM comes from a supervisor to this process
 * alone.
 */
function forwardSignals(child) {
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
}

/**
 * npm runs this below a shell that ends at a signal and passes nothing on: without a look at the parent,
 * `kill` of npm would leave a server on the port. Only below npm, so that `node scripts/start.mjs &` outlives
 * its terminal.
 */
function followShell(child, shell) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, watchShellMs);
  timer.unref();
}

await runMain(main);
