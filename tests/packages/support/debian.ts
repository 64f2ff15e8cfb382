/**
 * Debian systems with nothing in them but what every Debian has: made by debootstrap, kept in the cache
 * folder, entered with chroot.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packed.ts';

const cache = join(root, 'node_modules/.cache/fulmar/debian');
/** What Node itself is linked against since version 25, and Debian has apart. */
const NEEDED_BY_NODE = 'libatomic1';
/** A mirror that answers slowly, or not at all, must not hold up the tests. */
const MIRROR_MS_MAX = 240_000;
const COMMAND_MS_MAX = 120_000;

export interface System {
  /** Runs a shell command with `folder` as `/app` and this process's Node as `/usr/local/bin/node`. */
  run(command: string, folder: string): { readonly status: number | null; readonly output: string };
}

/** What is missing to make one, or `undefined`. */
export function missingForDebian(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root';
  const missing = ['debootstrap', 'unshare', 'chroot'].filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  return missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}`;
}

/** `release`: `bookworm` (12), `bullseye` (11). A text says why there is none. */
export function debian(release: string): System | string {
  const folder = join(cache, `${release}-${NEEDED_BY_NODE}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(cache, { recursive: true });
    const made = spawnSync('debootstrap', ['--variant=minbase', `--include=${NEEDED_BY_NODE}`, release, unfinished], {
      encoding: 'utf8',
      timeout: MIRROR_MS_MAX,
    });
    if (made.status !== 0) {
      rmSync(unfinished, { recursive: true, force: true });
      return `debootstrap ${release}: ${made.stdout.trim().split('\n').at(-1) ?? ''}`;
    }
    if (existsSync(folder)) rmSync(unfinished, { recursive: true, force: true });
    else renameSync(unfinished, folder);
  }
  return { run: (command, project) => runIn(folder, command, project) };
}

/** In namespaces of its own: mounts and processes end with the command. */
function runIn(system: string, command: string, project: string): { status: number | null; output: string } {
  const steps = [
    'set -e',
    'cd "$1"',
    'mkdir -p app usr/local/bin && touch usr/local/bin/node',
    'mount --bind "$2" app',
    'mount --bind "$3" usr/local/bin/node',
    'mount -t proc proc proc',
    'mount --bind /dev dev',
    'exec chroot . /bin/sh -c "cd /app && $4"',
  ].join('\n');
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', steps, 'sh', system, project, process.execPath, command],
    { encoding: 'utf8', timeout: COMMAND_MS_MAX, env: { PATH: process.env['PATH'] ?? '', HOME: '/root' } },
  );
  return { status, output: stdout + stderr };
}
