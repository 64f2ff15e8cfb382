/** The parts of untyped libraries that this layer alone uses. Types only; each module's own documentation is the reference. */

declare module 'co' {
  function co(this: unknown, generator: Iterator<unknown>): Promise<unknown>;
  export = co;
}

declare module 'content-disposition1' {
  function contentDisposition(filename?: string, options?: object): string;
  export = contentDisposition;
}

declare module 'cookies' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  class Cookies {
    constructor(req: IncomingMessage, res: ServerResponse, options: { keys?: unknown; secure?: boolean });
  }
  export = Cookies;
}

declare module 'debug' {
  function debug(namespace: string): (format: string, ...args: unknown[]) => void;
  export = debug;
}

declare module 'destroy' {
  function destroy<S extends object>(stream: S, suppress?: boolean): S;
  export = destroy;
}

declare module 'encodeurl1' {
  function encodeUrl(url: string): string;
  export = encodeUrl;
}

declare module 'http-assert' {
  function assert(value: unknown, ...args: unknown[]): void;
  export = assert;
}

declare module 'http-errors1' {
  import createError from 'http-errors';
  export = createError;
}

declare module 'mime-types2' {
  const mime: { contentType(type: string): string | false };
  export = mime;
}

declare module 'statuses1' {
  const statuses: Readonly<Record<number, string | undefined>> & {
    readonly empty: Readonly<Record<number, boolean | undefined>>;
    readonly redirect: Readonly<Record<number, boolean | undefined>>;
  };
  export = statuses;
}
