/**
 * The working directory, and what the files made there may do.
 */
import ops from 'fulmar:ops';
import { uvException } from '../shared/errno.ts';
import { parseFileMode, validateString } from '../shared/validators.ts';

function cwd(): string {
  const path = ops.cwd();
  if (path.startsWith('!')) throw uvException(Number(path.slice(1)), 'uv_cwd');
  return path;
}

function chdir(directory: string): void {
  validateString(directory, 'directory');
  const status = ops.chdir(directory);
  if (status < 0) throw uvException(status, 'chdir', ops.cwd(), directory);
}

function umask(mask?: string | number): number {
  return mask === undefined ? ops.umask(undefined) : ops.umask(parseFileMode(mask, 'mask'));
}

export const members = { cwd, chdir, umask };
