/**
 * `path.matchesGlob`: the package that Node carries, with Node's options.
 */
import { Minimatch } from 'minimatch';
import { validateString } from '../shared/validators.ts';

export { GLOBSTAR } from 'minimatch';

export function matcherOf(pattern: string, platform: 'posix' | 'win32'): Minimatch {
  return new Minimatch(pattern, {
    // `posix` is what Node says: any word but `win32` means slashes.
    platform: platform as 'linux' | 'win32',
    windowsPathsNoEscape: true,
    nonegate: true,
    nocomment: true,
    optimizationLevel: 2,
    nocaseMagicOnly: true,
  });
}

export function matchesGlob(path: string, pattern: string, platform: 'posix' | 'win32'): boolean {
  validateString(path, 'path');
  validateString(pattern, 'pattern');
  return matcherOf(pattern, platform).match(path);
}
