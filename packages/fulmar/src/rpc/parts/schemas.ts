/**
 * Schemas of what is no JSON: `file()` and `stream(schema)` stand in `params` of a procedure. What the compiler knows
 * of such parameters, by their types, is `compiled.ts`'s.
 */
import type { StandardSchemaV1 } from '../../app/index.ts';
import { type Checks, checkOptions, isCount } from '../../app/checked-options.ts';
import type { InputOf, OutputOf } from '../schema-types.ts';
import { schemaOf } from '../validators.ts';
import { isIncomingFile } from './incoming-file.ts';
import { IncomingStream } from './incoming-stream.ts';

export interface FileSchemaOptions {
  /** Media types that are taken, `image/*` for all of a kind. Default: any. The client says them, and may be wrong. */
  readonly types?: readonly string[];
  /** Bytes. Default: the limit of `upload.fileSize`. */
  readonly maxSize?: number;
}

const CHECKS: Checks<FileSchemaOptions> = {
  types: [
    (value) => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && /^[^\s/]+\/[^\s/]+$/.test(one)),
    'a list of media types, as in image/png or image/*',
  ],
  maxSize: [(value) => isCount(0, value), 'a number of bytes'],
};

/** A file: `File`, whose bytes are still on their way. @throws TypeError for options that are none */
export function file(options: FileSchemaOptions = {}): StandardSchemaV1<File, File> {
  checkOptions('file', options, CHECKS);
  return standard((value) => {
    if (!isIncomingFile(value)) return unfit('file', value);
    const { types, maxSize = Infinity } = options;
    if (value.size > maxSize) return issue(`file of ${maxSize} bytes at most`, `${value.size} bytes`);
    const isOf = (one: string): boolean => (one.endsWith('/*') ? value.type.startsWith(one.slice(0, -1)) : value.type === one);
    if (types !== undefined && !types.some(isOf)) return issue(`file of ${types.join(' or ')}`, value.type === '' ? 'no type' : value.type);
    return { value };
  });
}

/** A stream whose items fit the schema; each is judged when it is read. @throws TypeError for what is no schema */
export function stream<const Schema extends object>(
  items: Schema,
): StandardSchemaV1<AsyncIterable<InputOf<Schema>>, AsyncIterable<OutputOf<Schema>>> {
  const judge = schemaOf(items, 'the items of stream()', 'value');
  return standard((value) => (value instanceof IncomingStream ? { value: value.of(judge) } : unfit('stream', value))) as never;
}

type Result<Output> = { readonly value: Output } | { readonly issues: readonly { readonly message: string }[] };

const standard = <Output>(validate: (value: unknown) => Result<Output>): StandardSchemaV1<Output, Output> =>
  ({ '~standard': { version: 1, vendor: 'fulmar', validate } }) as StandardSchemaV1<Output, Output>;

function issue(expected: string, received: string): { readonly issues: readonly { readonly message: string }[] } {
  const told = { expected, received, message: `Expected ${expected}, received ${received}.`, path: [] };
  return { issues: [told] };
}

const unfit = (expected: string, value: unknown): ReturnType<typeof issue> => issue(expected, nameOf(value));

function nameOf(value: unknown): string {
  if (value instanceof IncomingStream) return 'stream';
  if (isIncomingFile(value)) return 'file';
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
