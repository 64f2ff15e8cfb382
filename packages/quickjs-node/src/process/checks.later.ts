/**
 * Errors of `process` for wrong arguments.
 */
import { invalidArgType } from '../shared/errors.ts';

export function notString(id: unknown): Error {
  return invalidArgType('id', 'string', id);
}
