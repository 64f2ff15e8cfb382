/**
 * Why there is no engine, in one line each that says what to do. A bundle of its own, which is loaded when
 * something is wrong.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ENGINE_UNAVAILABLE } from '../host/engine.ts';

function engineError(reason: string, advice: string, cause?: unknown): Error {
  const error = new Error(`Fulmar's engine could not be loaded: ${reason}. ${advice}`, cause === undefined ? undefined : { cause });
  return Object.assign(error, { code: ENGINE_UNAVAILABLE });
}

/**
 * No file and no package is there. What the manifest that is published says of platforms tells the reasons
 * apart; a checkout's says nothing.
 */
export function missingAddon(file: string, tag: string, manifest: string): Error {
  const { version, optionalDependencies = {} } = readOwn(manifest);
  const known = Object.keys(optionalDependencies).filter((name) => name.startsWith('@fulmar/'));
  if (known.length === 0) {
    const reason = `this installation holds no ${file}, the build for this platform`;
    return engineError(reason, 'Run "npm run build" in a checkout, or reinstall the package for this platform.');
  }
  if (!known.includes(`@fulmar/${tag}`)) {
    const platforms = known.map((name) => name.slice('@fulmar/'.length)).join(', ');
    return engineError(`there is no build of it for ${tag} yet`, `There is one for ${platforms}.`);
  }
  const reason = `its package @fulmar/${tag} is not installed, as when optional packages are left out (--omit=optional)`;
  return engineError(reason, `Run: npm install @fulmar/${tag}@${version}`);
}

function readOwn(manifest: string): { version: string; optionalDependencies?: Record<string, string> } {
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')) as ReturnType<typeof readOwn>;
  } catch {
    // Copied without it.
    return { version: '' };
  }
}

/** What `manifest` describes was made for another version of Fulmar. */
export function foreignAddon(manifest: string, { version, expected }: { version: string | undefined; expected: string }): Error {
  const folder = dirname(manifest);
  return engineError(`${folder} is of version ${version}, and this is Fulmar ${expected}`, 'Install the two in the same version.');
}

/** `file` is not as long as its package says. */
export function damagedAddon(file: string, { size, expected }: { size: number; expected: number | undefined }): Error {
  return engineError(`${file} is damaged: it has ${size} bytes and should have ${expected}`, adviceFor(dirname(file)));
}

/** `file`, or what describes it in `folder`, is not there or nonsense. */
export function unreadableAddon(file: string, folder: string, cause: unknown): Error {
  return engineError(`${file} is damaged or cannot be read (${(cause as Error).message})`, adviceFor(folder), cause);
}

const adviceFor = (folder: string): string => `Remove ${folder} and install again.`;

/** `file` is whole and does not load: it is of another machine, or this one lacks something. */
export function brokenAddon(file: string, cause: unknown): Error {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  if (code === 'ERR_DLOPEN_DISABLED') return forbiddenAddon(cause);
  const [text = ''] = String(message ?? cause).split('\n', 1);
  const advice = 'Install Fulmar on this machine, or in a checkout run "npm run build"; `fulmar info` tells of both.';
  return engineError(`${file} does not load: ${text.replace(`${file}: `, '').replace(/\.$/, '')}`, advice, cause);
}

/** Node has been told to load no addon at all. */
function forbiddenAddon(cause: unknown): Error {
  const { permission } = process as { permission?: unknown };
  if (permission === undefined) return engineError('Node loads no addon with --no-addons', 'Leave that option out.', cause);
  return engineError('Node loads no addon under its permission model', 'Add --allow-addons to its options.', cause);
}
