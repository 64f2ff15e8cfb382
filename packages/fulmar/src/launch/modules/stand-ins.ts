/** What of ours stands for which package in an application, told for people. */
import { findInstalled } from './aliases.ts';
import { aliasedPackages } from '../settings.ts';

/**
 * `express 5.1.0 → fulmar/express`, as files in `folder` would get it, for each of our entries that is used.
 */
export function describeStandIns(folder: string, isUsed: (target: string) => boolean): string[] {
  return Object.entries(aliasedPackages).flatMap(([name, entries]) => {
    const installed = findInstalled(name, folder, new Map());
    return Object.entries(entries)
      .filter(([, target]) => isUsed(target))
      .map(([major, target]) => `${name} ${versionOf(installed?.version, major)}→ fulmar/${target}`);
  });
}

/** A dependency may have another version than the application, whose major is then all that is known. */
function versionOf(version: string | undefined, major: string): string {
  if (version === undefined) return '';
  return version.startsWith(`${major}.`) ? `${version} ` : `${major} `;
}
