/**
 * Loads one of the host's own modules when it is needed: `later<typeof import('./trees.later.ts')>()`. The
 * type names the file; the build puts its name in the host there (`packages/build/passes/later.mjs`), and
 * nothing of the type is left.
 */
declare module 'fulmar:later' {
  /** A module's name in the host. */
  export type LateFile<Module> = string & { readonly module?: Module };

  interface Later {
    <Module>(): Module;
    <Module>(file: LateFile<Module>): Module;
    /** The name alone, for tables. */
    file<Module>(): LateFile<Module>;
  }

  const later: Later;
  export default later;
}
