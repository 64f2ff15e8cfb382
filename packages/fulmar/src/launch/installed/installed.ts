/**
 * Which files for this platform an installation has: the engine, the QuickJS host and the load generator,
 * beside our bundles in a checkout, in packages of their own where Fulmar is installed.
 *
 * Used by the commands that need them; an application's server finds the engine by itself
 * (`exchange/addon.ts`).
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolveFrom } from './companion.ts';
import { platformTag } from '../../host/engine.ts';

export type PartName = 'engine' | 'native' | 'load' | GuestPart;

/** The library of a language's guest, and what runs it in a process of its own. */
type GuestPart = `guest-${string}`;
export const guestPart = (language: string): GuestPart => `guest-${language}`;

/** A file of the installation. */
export interface Part {
  /** Where it is, or would be in a checkout. */
  readonly file: string;
  /** Why it cannot be used; null: it can. */
  readonly problem: string | null;
  /** What to do about that. */
  readonly advice: string;
}

const parts = {
  engine: { file: (tag: string) => `fulmar.${tag}.node`, kind: /^fulmar\..*\.node$/, scope: '@fulmar/', save: '' },
  native: { file: (tag: string) => `fulmar-native-${tag}`, kind: /^fulmar-native-/, scope: '@fulmar/native-', save: '-D ' },
  load: { file: (tag: string) => `fulmar-load-${tag}`, kind: /^fulmar-load-/, scope: '@fulmar/native-', save: '-D ' },
  'guest-worker': { file: (tag: string) => `fulmar-guest-worker-${tag}`, kind: /^fulmar-guest-/, scope: '@fulmar/', save: '' },
} as const;

/** Libraries of guests are in the package of the engine. */
const partOf = (name: PartName) =>
  name in parts
    ? parts[name as keyof typeof parts]
    : { file: (tag: string) => `fulmar-${name}.${tag}.so`, kind: /^fulmar-guest-/, scope: '@fulmar/', save: '' };

/**
 * Finds a part as our bundles see it, and then as the application does: from the file that is run or built,
 * as a server finds its engine; `undefined`: there is none, and the working directory stands for it.
 */
export function findPart(dist: string, name: PartName, application: string | undefined): Part {
  const tag = platformTag();
  const { kind, scope, save, ...part } = partOf(name);
  const file = part.file(tag);
  const beside = join(dist, file);
  if (existsSync(beside)) return { file: beside, problem: null, advice: '' };
  const manifest = resolveFrom([join(dist, 'cli.cjs'), application ?? join(process.cwd(), 'package.json')], `${scope}${tag}/package.json`);
  const { version, platforms } = readOwn(dist);
  if (manifest !== undefined) return check(manifest, file, version);
  if (platforms.length === 0) {
    const others = (existsSync(dist) ? readdirSync(dist) : []).filter((found) => kind.test(found));
    const problem = `there is no such file${others.length === 0 ? '' : `, but ${others.join(', ')}`}`;
    return { file: beside, problem, advice: 'Install again; in a checkout run `npm run build`.' };
  }
  if (!platforms.includes(tag)) {
    return { file: beside, problem: `there is none for ${tag} yet`, advice: `There is one for ${platforms.join(', ')}.` };
  }
  return { file: beside, problem: `${scope}${tag} is not installed`, advice: `Run: npm install ${save}${scope}${tag}@${version}` };
}

/**
 * Is it of this version, and as long as its package says? A program that is cut off ends with a signal, if it
 * starts at all.
 */
function check(manifest: string, name: string, own: string): Part {
  const file = join(dirname(manifest), name);
  const advice = `Remove ${dirname(manifest)} and install again.`;
  try {
    const { fulmar, version } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      fulmar: { bytes: Record<string, number> };
      version: string;
    };
    if (version !== own)
      return { file, problem: `it is of version ${version}, and this is Fulmar ${own}`, advice: 'Install the two in the same version.' };
    const { size } = statSync(file);
    if (size === fulmar.bytes[name]) return { file, problem: null, advice: '' };
    return { file, problem: `it is damaged: it has ${size} bytes and should have ${fulmar.bytes[name]}`, advice };
  } catch (error) {
    return { file, problem: `it is damaged or cannot be read (${(error as Error).message})`, advice };
  }
}

/** Version and platforms of the package as it is published; a checkout's manifest names none. */
function readOwn(dist: string): { version: string; platforms: readonly string[] } {
  const manifest = JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8')) as {
    version: string;
    optionalDependencies?: Record<string, string>;
  };
  const names = Object.keys(manifest.optionalDependencies ?? {});
  return { version: manifest.version, platforms: names.filter((name) => name.startsWith('@fulmar/')).map((name) => name.slice(8)) };
}
