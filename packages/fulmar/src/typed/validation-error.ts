/** Thrown by `assert` and `parse`: the value does not fit its type. */
import type { Issue } from '../shape/validate/rule-types.ts';

/** Issues that the message tells; `issues` has them all. */
const TOLD_MAX = 3;

export class ValidationError extends TypeError {
  readonly code = 'FULMAR_VALIDATION';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    const told = issues.slice(0, TOLD_MAX).map(({ path, message }) => `${pathText(path)}${message}`);
    if (issues.length > TOLD_MAX) told.push(`and ${issues.length - TOLD_MAX} more`);
    super(`the value does not fit its type: ${told.join('; ')}`);
    this.name = 'ValidationError';
    this.issues = issues;
  }
}

const pathText = (path: Issue['path']): string => (path.length === 0 ? '' : `${path.join('.')}: `);
