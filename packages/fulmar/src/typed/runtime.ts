/**
 * What compiled code calls, by the names it knows. Nobody else imports it: its names are no interface, and
 * belong to the version of the compiler that is installed beside this package.
 */
import { formatTest, isFormat } from '../shape/validate/formats.ts';
import { isMultiple } from '../shape/validate/numbers.ts';
import { copyOf, setMember } from '../shape/validate/copy.ts';
import type { Shape, ShapeDocument } from '../shape/shape.ts';
import * as binary from './binary.ts';
import * as checks from './checks.ts';
import { codecFor } from './codec.ts';
import { issuesOf } from './issues.ts';
import * as json from './json.ts';
import { restore } from './restore.ts';
import { sampleOf } from './sample.ts';
import { toSchema } from './schema.ts';
import { ValidationError } from './validation-error.ts';
import * as wire from './wire.ts';

function format(name: string): (text: string) => boolean {
  if (!isFormat(name)) throw new TypeError(`there is no format ${name}; there are ${isFormat.names.join(', ')}`);
  return formatTest(name);
}

/** A document of the definitions that a shape leads to, among those of its source. */
function document(root: Shape, all: Readonly<Record<string, Shape>>, names: readonly string[]): ShapeDocument {
  const definitions: Record<string, Shape> = {};
  for (const name of names) setMember(definitions, name, all[name]);
  return { root, definitions };
}

function refuse(shape: ShapeDocument, value: unknown): never {
  throw new ValidationError(issuesOf(shape, value));
}

const wireIssues = (shape: ShapeDocument, value: unknown): ReturnType<typeof issuesOf> => issuesOf(shape, restore(shape, value));

function refuseWire(shape: ShapeDocument, value: unknown): never {
  throw new ValidationError(wireIssues(shape, value));
}

export const runtime = Object.freeze({
  ...binary,
  ...checks,
  ...json,
  ...wire,
  codec: codecFor,
  copy: copyOf,
  document,
  format,
  issues: issuesOf,
  multiple: isMultiple,
  put: setMember,
  refuse,
  refuseWire,
  sample: sampleOf,
  schema: toSchema,
  wireIssues,
});
