/** The parts of untyped libraries that this layer alone uses. Types only; each module's own documentation is the reference. */

declare module 'depd' {
  interface Deprecate {
    (message: string): void;
    /** A function that announces its deprecation and calls `fn`. */
    function<T extends (...args: never[]) => unknown>(fn: T, message: string): T;
  }
  function depd(namespace: string): Deprecate;
  export = depd;
}

declare module 'mime4' {
  const mime: {
    lookup(path: string): string;
    readonly charsets: { lookup(type: string): string | undefined };
  };
  export = mime;
}

declare module 'path-to-regexp4' {
  function pathToRegexp(path: unknown, keys: pathToRegexp.Key[], options: pathToRegexp.Options): RegExp;
  namespace pathToRegexp {
    interface Key {
      readonly name: string | number;
      readonly optional: boolean;
      readonly offset: number;
    }
    interface Options {
      readonly sensitive?: boolean | undefined;
      readonly strict?: boolean | undefined;
      readonly end?: boolean | undefined;
    }
  }
  export = pathToRegexp;
}

declare module 'qs4' {
  import qs from 'qs';
  export = qs;
}

declare module 'range-parser4' {
  import parseRange from 'range-parser';
  export = parseRange;
}
