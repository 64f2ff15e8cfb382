/**
 * The sources of a project that use types at run time, looked for when one after the other has been compiled that
 * no other imports: a program is made for all of them once, and not one for each.
 */
import { dirname } from 'node:path';
import ts from 'typescript';
import { USES_TYPES } from './mentions.ts';

/** So many sources on their own are no accident. */
export const ALONE_MAX = 8;
/** A project of more is compiled as its sources come. */
const LOOKED_AT_MAX = 5000;

export function usersIn(config: string | undefined): string[] {
  if (config === undefined) return [];
  const source = ts.readJsonConfigFile(config, (name) => ts.sys.readFile(name));
  const { fileNames } = ts.parseJsonSourceFileConfigFileContent(source, ts.sys, dirname(config));
  const sources = fileNames.filter((name) => !name.endsWith('.d.ts'));
  if (sources.length > LOOKED_AT_MAX) return [];
  return sources.filter((name) => USES_TYPES.test(ts.sys.readFile(name) ?? ''));
}
