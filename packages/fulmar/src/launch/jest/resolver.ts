/**
 * jest's module resolver of the preset `fulmar/jest`: the package that a file would get is found first, then
 * what stands for it.
 *
 * Loaded by jest itself, outside of test files; asked for each import of theirs. `http` is not its work: jest
 * asks no resolver for Node's modules (`bin/jest-preset.cjs` maps it).
 */
import { join } from 'node:path';
import { createAliaser } from '../modules/aliases.ts';
import { isNotFound } from '../compile/resolve.ts';
import { aliasedPackages, distFolder, toHookSettings } from '../settings.ts';
import { createSubstituter, type Substitute } from '../modules/substitutes.ts';
import { partFileName } from './part-files.ts';

/** What jest gives a resolver, as far as it is used here. */
export interface ResolverOptions {
  readonly basedir: string;
  readonly conditions?: readonly string[];
  readonly defaultResolver: (request: string, options: ResolverOptions) => string;
}

// This bundle lies in `dist`.
const binFile = join(__dirname, '..', 'bin', 'fulmar.cjs');
const { targets } = toHookSettings(binFile, { alias: true, verbose: false });
const aliasOf = targets === null ? undefined : createAliaser(targets);
const substituteOf = targets === null ? undefined : createSubstituter(targets);

/** The file that `request` leads to; throws as jest's own resolver does where there is none. */
export function sync(request: string, options: ResolverOptions): string {
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

/** Since jest 30 its error for a package that nobody has carries no code. */
const saysNotFound = (error: unknown): boolean => isNotFound(error) || (error as Error).message.startsWith('Cannot find module');

function toFile(
  lead: Substitute | { readonly require: string; readonly import?: string | undefined },
  { conditions }: ResolverOptions,
): string {
  if ('part' in lead && lead.part !== undefined) return join(distFolder(binFile), partFileName(lead.require, lead.part));
  return conditions?.includes('import') === true ? lead.require.replace(/\.cjs$/, '.mjs') : lead.require;
}
