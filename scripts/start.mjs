/**
 * `npm start`, `npm run example:polyglot`: set-up, a build of what serving needs, then an example application through
 * `fulmar run`, on PORT (3000 when it is not set).
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { packageDir, root, runMain } from './lib/run.mjs';

/** The one of `npm start` first. `setUp` is a module of the example that puts there what it needs. */
const examples = {
  'express-app': { entry: 'server.js', guests: false },
  'polyglot-app': { entry: 'server.ts', guests: true, setUp: 'setup.mjs' },
};

const watchShellMs = 500;

async function main() {
  const shell = process.ppid;
  const [first = '', ...others] = process.argv.slice(2);
  const named = Object.keys(examples).find((name) => first === `--example=${name}`);
  const { entry, guests, setUp } = examples[named ?? 'express-app'];
  const exampleDir = join(root, 'examples', named ?? 'express-app');
  // What is missing is said before minutes are spent on a build.
  if (setUp !== undefined) (await import(pathToFileURL(join(exampleDir, setUp)).href)).setUp();
  await build({ native: false, guests, load: false });
  const env = { ...process.env, PORT: process.env.PORT ?? '3000' };
  const args = [
    join(packageDir, 'bin', 'fulmar.cjs'),
    'run',
    join(exampleDir, entry),
    ...(named === undefined ? process.argv.slice(2) : others),
  ];
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
