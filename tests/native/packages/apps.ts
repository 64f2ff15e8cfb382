/** Builds and starts the applications of `apps`, on Node and as executables. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { plainNode, root } from '../harness/host.ts';

const READY_MAX_MS = 60_000;
const BUILD_MAX_MS = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'fulmar-packages-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export interface App {
  readonly where: string;
  readonly port: number;
  readonly child: ChildProcess;
  readonly output: () => string;
}

const source = (name: string): string => fileURLToPath(new URL(`apps/${name}.js`, import.meta.url));

export function startNode(name: string, env: Readonly<Record<string, string>>): Promise<App> {
  const node = plainNode();
  const args = ['--import', join(root, 'scripts', 'ts-register.mjs'), source(name)];
  return start('Node', spawn(node.command, args, { cwd: root, env: { ...node.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** The executable's path. */
export async function buildNative(name: string): Promise<string> {
  const out = join(folder, name);
  const args = [join(root, 'packages', 'fulmar', 'bin', 'fulmar.cjs'), 'build', source(name), '--native', '-o', out];
  const views =
    name === 'ejs' || name === 'pug' ? ['--include', fileURLToPath(new URL('apps/views', import.meta.url)), '--require', name] : [];
  const node = plainNode();
  await new Promise<void>((resolve, reject) => {
    execFile(node.command, [...args, ...views], { cwd: root, env: node.env, timeout: BUILD_MAX_MS }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`${name} cannot be built: ${stdout}${stderr}`));
    });
  });
  return out;
}

/** Runs in an empty folder. */
export function startNative(executable: string, env: Readonly<Record<string, string>>): Promise<App> {
  const cwd = `${executable}-empty`;
  mkdirSync(cwd);
  return start('the native host', spawn(executable, [], { cwd, env: { ...env, PATH: '' }, stdio: ['ignore', 'pipe', 'pipe'] }));
}

function start(where: string, child: ChildProcess): Promise<App> {
  let output = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_MAX_MS);
    const read = (text: string): void => {
      output += text;
      const port = /PORT (\d+)/.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve({ where, port: Number(port), child, output: () => output });
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('close', (code, signal) =>
      reject(new Error(`it ended on ${where} with ${signal ?? String(code)} before it listened: ${output}`)),
    );
  });
}

export async function stop({ child }: App): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await closed;
}
