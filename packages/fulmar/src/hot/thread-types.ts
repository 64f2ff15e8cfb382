/** What the main thread and the loader thread of old Nodes tell each other. Types only. */

export interface ToThread {
  readonly id: number;
  readonly files: readonly (readonly [file: string, version: number])[];
}

export type FromThread =
  | { readonly kind: 'import'; readonly importer: string | undefined; readonly file: string }
  | { readonly kind: 'load'; readonly file: string; readonly stamp: string | undefined }
  | { readonly kind: 'types'; readonly source: string; readonly files: readonly string[] }
  | { readonly kind: 'done'; readonly id: number };
