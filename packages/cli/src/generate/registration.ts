/**
 * Finds the module that a generated class belongs to, and what its file becomes. Where that cannot be said,
 * it says what to do by hand. Reads, and writes nothing.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { loadBundlerUtils } from '../rolldown.ts';
import { type Parser, register, type Registration } from './module-edit.ts';
import { Obstacle } from './module-syntax.ts';
import { findModule, type Project } from './project.ts';

export interface ChangedModule {
  readonly file: string;
  readonly text: string;
  readonly isChanged: boolean;
}

/** `advice`: what is left to be done by hand, and why. */
export type Registered = ChangedModule | { readonly advice: string; readonly isProblem: boolean };

export interface Generated {
  readonly className: string;
  /** The file of the class. */
  readonly file: string;
  readonly list: Registration['list'];
  /** Where to begin to look for a module. */
  readonly from: string;
}

/** `ownFolder`: of our bundles. */
export async function planRegistration(generated: Generated, project: Project, ownFolder: string): Promise<Registered> {
  const { className, list } = generated;
  const found = findModule(generated.from, project, generated.file);
  if (found === undefined)
    return { advice: `no module was found above it: add ${className} to the ${list} of the one it belongs to`, isProblem: false };
  if ('several' in found)
    return {
      advice: `which module it belongs to cannot be told (${found.several.join(', ')}): add ${className} to its ${list}`,
      isProblem: true,
    };
  const text = readFileSync(found.file, 'utf8');
  const registration = { className, list, from: toSpecifier(found.file, generated.file, suffixOf(text, project)) };
  const shown = relative(process.cwd(), found.file);
  try {
    const { parseSync } = await loadBundlerUtils({ ownFolder, root: project.root, need: `to change ${shown}, fulmar generate needs` });
    const after = register(text, basename(found.file), registration, parseSync as Parser);
    return { file: found.file, text: after, isChanged: after !== text };
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === 'FULMAR_CLI_NOT_INSTALLED';
    if (!isMissing && !(error instanceof Obstacle)) throw error;
    const why = isMissing ? (error as Error).message : `${shown} was left as it is: ${(error as Error).message}.`;
    const line = `import { ${className} } from '${registration.from}';`;
    return { advice: `${why} Add to it:\n  ${line}\nand ${className} to the ${list} of its @Module({ … })`, isProblem: true };
  }
}

/** What imports of the project's own files end with, as the nearest module has it. */
export function suffixIn(folder: string, project: Project): string {
  const found = findModule(folder, project);
  return suffixOf(found !== undefined && 'file' in found ? readFileSync(found.file, 'utf8') : '', project);
}

function suffixOf(text: string, { isModule }: Project): string {
  const own = /\bfrom\s*(["'])\.\.?\/[^"']*?(\.[jt]s)?\1/.exec(text);
  if (own !== null) return own[2] ?? '';
  // Node finds files of ES modules by their whole names.
  return isModule ? '.js' : '';
}

function toSpecifier(moduleFile: string, file: string, suffix: string): string {
  const path = join(relative(dirname(moduleFile), dirname(file)), basename(file, '.ts'))
    .split(sep)
    .join('/');
  return `${path.startsWith('.') ? '' : './'}${path}${suffix}`;
}
