/** How much a form may have: names, defaults, what is wrong with others. */
import { HttpError } from '../http-error.ts';

export interface FormLimits {
  /** Fields that are no files. Default: 1000. */
  readonly fields?: number;
  /** Default: 10. */
  readonly files?: number;
  /** Fields and files together. Default: as many as of both. */
  readonly parts?: number;
  /** Bytes of a name. Default: 100. */
  readonly fieldNameSize?: number;
  /** Bytes of a field's value. Default: 64 KiB. */
  readonly fieldSize?: number;
  /** Bytes of a file. Default: 16 MiB. */
  readonly fileSize?: number;
}

export type AllFormLimits = Required<FormLimits>;

const FIELDS_MAX = 1000;
const FILES_MAX = 10;
const FIELD_NAME_BYTES_MAX = 100;
const FIELD_BYTES_MAX = 64 * 1024;
const FILE_BYTES_MAX = 16 * 1024 * 1024;

const NAMES: ReadonlySet<string> = new Set(['fields', 'files', 'parts', 'fieldNameSize', 'fieldSize', 'fileSize']);

/** @throws TypeError for a limit that is none */
export function toFormLimits(given: FormLimits = {}): AllFormLimits {
  for (const [name, value] of Object.entries(given)) {
    if (!NAMES.has(name)) throw new TypeError(`A form has no limit ${name}; it has ${[...NAMES].join(', ')}.`);
    if (value !== undefined && value !== Infinity && !(Number.isSafeInteger(value) && value >= 0))
      throw new TypeError(`${name} is a number, 0 or more, and this is ${JSON.stringify(value) ?? String(value)}.`);
  }
  const { fields = FIELDS_MAX, files = FILES_MAX } = given;
  return {
    fields,
    files,
    parts: given.parts ?? fields + files,
    fieldNameSize: given.fieldNameSize ?? FIELD_NAME_BYTES_MAX,
    fieldSize: given.fieldSize ?? FIELD_BYTES_MAX,
    fileSize: given.fileSize ?? FILE_BYTES_MAX,
  };
}

/** 413, with the name of the limit and what it is. */
export function beyond(name: keyof FormLimits, limit: number, what: string): HttpError {
  return new HttpError(413, `${what}: ${limit} at most.`, { details: { [name]: limit } });
}
