/**
 * jest's module resolver of the preset `fulmar/jest`: the package that a file would get is found first, then
 * what stands for it.
 *
 * Loaded by jest itself, outside of test files; asked for each import of theirs. `http` is not its work: jest
 * asks no resolver for Node's modules (`bin/jest-preset.cjs` maps it).
 */
import { join } from 'node:path';
import { type Aliaser, createAliaser, isOfNest } from '../modules/aliases.ts';
import { isNotFound } from '../compile/resolve.ts';
import { aliasedPackages, distFolder, toHookSettings } from '../settings.ts';
import { createSubstituter, type Substitute } from '../modules/substitutes.ts';
import { partFileName } from './part-files.ts';

/** What jest gives a resolver, as far as it is used here. */
export interface ResolverOptions {
  readonly basedir: string;
  readonly conditions?: readonly string[];
  /** The folder of the project whose tests run. */
  readonly rootDir?: string;
  readonly defaultResolver: (request: string, options: ResolverOptions) => string;
}

// This bundle lies in `dist`.
const binFile = join(__dirname, '..', 'bin', 'fulmar.cjs');
const { targets } = toHookSettings(binFile, { alias: true, verbose: false });
const aliasOf = targets === null ? undefined : createAliaser(targets);
/** By the folder of a project, of which a process of jest has those that its configuration names. */
const aliasersOfNest = new Map<string, Aliaser>();
const substituteOf = targets === null ? undefined : createSubstituter(targets);

/** The file that `request` leads to; throws as jest's own resolver does where there is none. */
export function sync(request: string, options: ResolverOptions): string {
  const ofNest = isOfNest(request) ? leadOfNest(request, options) : undefined;
  if (ofNest !== undefined) return toFile(ofNest, options);
  let found: string;
  try {
    found = options.defaultResolver(request, options);
  } catch (error) {
    // Not installed: as under `fulmar run`, ours all the same.
    const isMissing = Object.hasOwn(aliasedPackages, request) && saysNotFound(error);
    const lead = isMissing ? aliasOf?.(request, join(options.basedir, 'importer')) : undefined;
    if (lead === undefined) throw error;
    return toFile(lead, options);
  }
  const substitute = substituteOf?.(found);
  return substitute === undefined ? found : toFile(substitute, options);
}

/** The application of a project's tests is the one around its folder. */
function leadOfNest(request: string, { basedir, rootDir = process.cwd() }: ResolverOptions): ReturnType<Aliaser> {
  if (targets === null) return undefined;
  let find = aliasersOfNest.get(rootDir);
  const entry = join(rootDir, 'test');
  if (find === undefined) aliasersOfNest.set(rootDir, (find = createAliaser(targets, undefined, () => entry)));
  return find(request, join(basedir, 'importer'));
}

/** Since jest 30 its error for a package that nobody has carries no code. */
const saysNotFound = (error: unknown): boolean => isNotFound(error) || (error as Error).message.startsWith('Cannot find module');

function toFile(
  lead: Substitute | { readonly require: string; readonly import?: string | undefined },
  { conditions }: ResolverOptions,
): string {
  if ('part' in lead && lead.part !== undefined) return join(distFolder(binFile), partFileName(lead.require, lead.part));
  return conditions?.includes('import') === true ? lead.require.replace(/\.cjs$/, '.mjs') : lead.require;
}
