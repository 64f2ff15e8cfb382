/** The parts of untyped libraries that the commands alone use. Types only; each module's own documentation is the reference. */

declare module 'pluralize' {
  const pluralize: { singular(word: string): string };
  export = pluralize;
}
