/** The parts of untyped libraries that this layer alone uses. Types only; each module's own documentation is the reference. */

declare module 'semver/functions/satisfies.js' {
  function satisfies(version: string, range: string, options?: { readonly includePrerelease?: boolean }): boolean;
  export = satisfies;
}
