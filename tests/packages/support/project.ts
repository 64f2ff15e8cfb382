/** Fresh folders of newcomers: files, what a package manager installs, commands that run there. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, lstatSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tools = fileURLToPath(new URL('../node_modules', import.meta.url));
export const tool = (path: string): string => join(tools, path);
/** The Node that tests run on, whose `npm` may be another's. */
const node = process.env['FULMAR_TEST_NODE'] ?? process.execPath;
const COMMAND_MS_MAX = 120_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

const folders: string[] = [];

/** A folder with `files`, removed by `removeProjects`. */
export function newProject(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-newcomer-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

export function removeProjects(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** What a newcomer's shell has: nothing of this run. */
export function plainEnv(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:NODE_(?!EXTRA_CA_CERTS$)|FULMAR_|INIT_CWD$|npm_(?!config_registry))/i.test(name),
  );
  // What package managers start is the Node under test as well.
  return { ...Object.fromEntries(kept), PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`, ...more };
}

export async function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = plainEnv()): Promise<Ended> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: COMMAND_MS_MAX });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Runs a script with the Node under test. */
export const runNode = (args: readonly string[], cwd: string, env?: NodeJS.ProcessEnv): Promise<Ended> => run(node, args, cwd, env);

/** The same, which must succeed. */
export async function must(ended: Promise<Ended>): Promise<string> {
  const { code, signal, stdout, stderr } = await ended;
  if (code !== 0) throw new Error(`it ended with ${signal ?? code}:\n${stdout}${stderr}`);
  return stdout;
}

/** `fulmar …` of the project, as `npx` starts it. */
export const fulmar = (cwd: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> =>
  runNode([join(cwd, 'node_modules/fulmar/bin/fulmar.cjs'), ...args], cwd, env);

/** Bytes below `folder`, of files. */
export function bytesIn(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const found = lstatSync(join(folder, name));
    if (found.isFile()) bytes += found.size;
  }
  return bytes;
}
