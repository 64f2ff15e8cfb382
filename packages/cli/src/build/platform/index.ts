/**
 * `fulmar build --target`: what a platform calls, made of an application: a folder for Lambda or Vercel, one
 * module for Cloudflare. No engine is in it, as nobody listens there.
 */
import { basename, extname, resolve } from 'node:path';
import { CommandError } from '../../errors.ts';
import type { Platform } from '../arguments.ts';
import type { Asset } from '../assets.ts';
import type { BundleInput } from '../bundle.ts';
import { checkFolder, checkOutput, toPlace } from '../output.ts';
import { buildFolder, LAMBDA, markOf, VERCEL } from './folder.ts';
import { buildWorker } from './worker.ts';

export interface PlatformBuilt {
  readonly modules: number;
  readonly notes: readonly string[];
  readonly assets: readonly Asset[];
  readonly bytes: number;
}

type PlatformInput = BundleInput & { readonly out: string; readonly dist: string };

const folders = { lambda: LAMBDA, vercel: VERCEL };

export function buildForPlatform(platform: Platform, input: PlatformInput): Promise<PlatformBuilt> {
  return platform === 'cloudflare' ? buildWorker(input) : buildFolder(folders[platform], input);
}

/** Where it is written. @throws CommandError where nothing of ours may be put */
export function toPlatformOutput(platform: Platform, given: string | undefined, entry: string): string {
  const name = basename(entry, extname(entry));
  if (platform !== 'cloudflare') {
    const out = resolve(given ?? (platform === 'lambda' ? `${name}.lambda` : '.vercel/output'));
    if (`${entry}/`.startsWith(`${toPlace(out)}/`))
      throw new CommandError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${out}: the file to build is in it`);
    checkFolder(out, markOf(folders[platform]));
    return out;
  }
  const out = resolve(given ?? `${name}.worker.mjs`);
  if (extname(out) !== '.mjs' && extname(out) !== '.js')
    throw new CommandError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${out}: a worker is a module; end it in .mjs or .js`);
  if (toPlace(out) === entry) throw new CommandError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${out}: it is the file to build`);
  checkOutput(out);
  return out;
}
