/**
 * What of a value that came as JSON does not fit a type that is at hand as data: what compiled code tells of the same value, where there
 * is no compiled code, as in a client that was told its server's types.
 */
import type { ShapeDocument } from '../shape/shape.ts';
import type { Issue } from '../shape/validate/rule-types.ts';
import { validatorOf } from './issues.ts';
import { restore } from './restore.ts';

/** Nothing where it fits. @throws TypeError for what is no document of a shape */
export const wireMisfits = (document: ShapeDocument, value: unknown): readonly Issue[] =>
  validatorOf(document).parse(restore(document, value)).issues ?? [];
