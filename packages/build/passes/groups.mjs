/** Chunks by lists of files: what is loaded together, and what a start does not need. */
import { expectAll } from './met.mjs';

const escaped = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/**
 * Groups for rolldown's `codeSplitting`, each with the files of its list.
 *
 * @param {string} folder the sources
 * @param {Record<string, string[]>} lists name of the chunk → files in `folder`, without `.ts`; `/*` at the end: every file in a folder and below
 * @returns {{ groups: import('rolldown').CodeSplittingGroup[], met: { check(): void } }} `met` fails where an entry is no file of the build
 */
export function groupsOf(folder, lists) {
  const met = expectAll('chunks', Object.values(lists).flat());
  const groups = Object.entries(lists).map(([name, files]) => {
    const patterns = files.map((file) => [
      file,
      new RegExp(`^${escaped(`${folder}/${file.replace(/\*$/, '')}`)}${file.endsWith('/*') ? '.*' : ''}\\.ts$`),
    ]);
    return {
      name,
      includeDependenciesRecursively: false,
      test(id) {
        const [file] = patterns.find(([, pattern]) => pattern.test(id.replaceAll('\\', '/'))) ?? [];
        if (file !== undefined) met.meet(file);
        return file !== undefined;
      },
    };
  });
  return { groups, met };
}

/** One chunk for npm packages, wherever they lie. */
export function librariesGroup(name, packages) {
  const met = expectAll('libraries', packages);
  // The first `node_modules` of a path: a version that another package has for itself is another library.
  const pattern = new RegExp(`^(?:(?!node_modules).)*node_modules[\\\\/](${packages.map(escaped).join('|')})[\\\\/]`);
  const test = (id) => {
    const [, found] = pattern.exec(id) ?? [];
    if (found !== undefined) met.meet(found);
    return found !== undefined;
  };
  return { group: { name, test }, met };
}
