/**
 * The parts of untyped libraries that this layer and the frameworks on it use. Types only; each module's own documentation is the reference.
 */

declare module 'accepts' {
  import type { IncomingMessage } from 'node:http';
  interface Accepts {
    types(...types: readonly string[]): string | string[] | false;
    encodings(...encodings: readonly string[]): string | string[] | false;
    charsets(...charsets: readonly string[]): string | string[] | false;
    languages(...languages: readonly string[]): string | string[] | false;
  }
  function accepts(req: IncomingMessage): Accepts;
  export = accepts;
}

declare module 'accepts4' {
  import accepts from 'accepts';
  export = accepts;
}

declare module 'bytes' {
  const bytes: { parse(value: string | number): number | null };
  export = bytes;
}

declare module 'content-disposition4' {
  function contentDisposition(filename?: string, options?: object): string;
  export = contentDisposition;
}

declare module 'content-type4' {
  import type { IncomingMessage } from 'node:http';
  interface ContentType {
    readonly type: string;
    readonly parameters: Record<string, string>;
  }
  const contentType: {
    parse(from: string | IncomingMessage): ContentType;
    format(type: ContentType): string;
  };
  export = contentType;
}

declare module 'cookie' {
  export function serialize(name: string, value: string, options?: object): string;
  export function parse(header: string): Record<string, string>;
}

declare module 'cookie-signature' {
  const cookieSignature: { sign(value: string, secret: string): string };
  export default cookieSignature;
}

declare module 'encodeurl' {
  function encodeUrl(url: string): string;
  export = encodeUrl;
}

declare module 'escape-html' {
  function escapeHtml(text: string): string;
  export = escapeHtml;
}

declare module 'fresh' {
  import type { IncomingHttpHeaders } from 'node:http';
  function fresh(request: IncomingHttpHeaders, reply: Record<string, unknown>): boolean;
  export = fresh;
}

declare module 'fresh4' {
  import fresh from 'fresh';
  export = fresh;
}

declare module 'mime-types' {
  const mime: {
    contentType(type: string): string | false;
    lookup(name: string): string | false;
  };
  export = mime;
}

declare module 'on-finished' {
  function onFinished<T extends object>(message: T, listener: (err: Error | null, message: T) => void): T;
  namespace onFinished {
    function isFinished(message: object): boolean | undefined;
  }
  export = onFinished;
}

declare module 'parseurl' {
  import type { IncomingMessage } from 'node:http';
  import type { UrlWithStringQuery } from 'node:url';
  function parseUrl(req: IncomingMessage): UrlWithStringQuery | undefined;
  namespace parseUrl {
    function original(req: IncomingMessage): UrlWithStringQuery | undefined;
  }
  export = parseUrl;
}

declare module 'proxy-addr' {
  import type { IncomingMessage } from 'node:http';
  type Trust = (address: string | undefined, hop: number) => boolean;
  function proxyAddr(req: IncomingMessage, trust: Trust): string;
  namespace proxyAddr {
    function all(req: IncomingMessage, trust?: Trust): string[];
    function compile(addresses: string | readonly string[]): Trust;
  }
  export = proxyAddr;
}

declare module 'raw-body' {
  interface Options {
    readonly length?: string | undefined;
    readonly limit?: number;
    readonly encoding?: string | null;
  }
  type Callback = (err: (Error & { type?: string }) | null, body: string | Buffer) => void;
  function getRawBody(stream: NodeJS.ReadableStream, options: Options, callback: Callback): void;
  export = getRawBody;
}

declare module 'statuses' {
  const statuses: {
    readonly message: Readonly<Record<number, string>>;
    readonly empty: Readonly<Record<number, boolean | undefined>>;
    readonly redirect: Readonly<Record<number, boolean | undefined>>;
  };
  export = statuses;
}

declare module 'type-is' {
  import type { IncomingMessage } from 'node:http';
  function typeIs(req: IncomingMessage, types: string | readonly string[]): string | false | null;
  namespace typeIs {
    function is(type: string, ...types: unknown[]): string | false;
  }
  export = typeIs;
}

declare module 'type-is4' {
  import typeIs from 'type-is';
  export = typeIs;
}

declare module 'vary' {
  import type { ServerResponse } from 'node:http';
  function vary(res: ServerResponse, field: string | readonly string[]): void;
  export = vary;
}
