/**
 * Lists of a build that name files, packages or pieces of text: each entry must be met, or the list is out of
 * date and its pass does nothing.
 */

/** @param {string} pass whose list it is  @param {Iterable<string>} entries */
export function expectAll(pass, entries) {
  const missing = new Set(entries);
  return {
    /** `entry` was met. */
    meet: (entry) => void missing.delete(entry),
    /** Throws when an entry was not. */
    check() {
      if (missing.size > 0) throw new Error(`${pass}: nothing in this build is what its list names: ${[...missing].join(', ')}`);
    },
  };
}

/** A plugin that checks such lists once the chunks are known. */
export const checkLists = (...lists) => ({
  name: 'check-lists',
  generateBundle() {
    for (const list of lists) list.check();
  },
});
