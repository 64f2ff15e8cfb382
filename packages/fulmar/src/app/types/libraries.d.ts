/**
 * The part of an untyped library that this layer uses. Types only; its own documentation is the reference.
 */

declare module 'busboy' {
  import type { Readable, Writable } from 'node:stream';
  interface Config {
    readonly headers: { readonly 'content-type': string };
    readonly defParamCharset: 'utf8' | 'latin1';
    readonly limits: Readonly<Record<'fieldSize' | 'fileSize' | 'fields' | 'files' | 'parts', number>>;
  }
  interface Info {
    readonly filename?: string;
    readonly mimeType: string;
    readonly valueTruncated?: boolean;
  }
  interface Busboy extends Writable {
    on(event: 'field', listener: (name: string | undefined, value: string, info: Info) => void): this;
    on(event: 'file', listener: (name: string | undefined, stream: Readable, info: Info) => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    on(event: 'close' | 'drain' | 'partsLimit' | 'filesLimit' | 'fieldsLimit', listener: () => void): this;
  }
  function busboy(config: Config): Busboy;
  export = busboy;
}
