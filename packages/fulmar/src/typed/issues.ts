/**
 * What is wrong with a value, in the words of the app's other schemas. Asked for values that do not fit: what
 * it is told by is made then, and kept.
 */
import type { ShapeDocument } from '../shape/shape.ts';
import { compileShape, type Validator } from '../shape/validate/compile.ts';
import { nameOfKind } from '../shape/validate/kind.ts';
import type { Issue } from '../shape/validate/rule-types.ts';
import { DEPTH_MAX } from './limits.ts';

/** As many as there are types in the program's text. */
const validators = new WeakMap<ShapeDocument, Validator>();

export function validatorOf(document: ShapeDocument): Validator {
  let validator = validators.get(document);
  if (validator === undefined) validators.set(document, (validator = compileShape(document)));
  return validator;
}

export function issuesOf(document: ShapeDocument, value: unknown): readonly Issue[] {
  const { issues = [] } = validatorOf(document).parse(value);
  // Types that contain each other count levels more closely here than there.
  return issues.length > 0 ? issues : [tooDeep(value)];
}

function tooDeep(value: unknown): Issue {
  const expected = `a value of its type, nested ${DEPTH_MAX} deep at most`;
  const received = nameOfKind(value);
  return { path: [], expected, received, message: `Expected ${expected}, received ${received}.` };
}
