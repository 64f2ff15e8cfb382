/**
 * Collects issues, up to a number that a short request cannot turn into a long answer.
 */
import { nameOfKind } from './kind.ts';
import type { Issue, Path, Report } from './rule-types.ts';

const ISSUES_MAX = 100;
/** Of a name in a path: names come from the client. */
const NAME_CHARACTERS_MAX = 100;

export class Issues implements Report {
  readonly all: Issue[] = [];

  get isFull(): boolean {
    return this.all.length >= ISSUES_MAX;
  }

  add(path: Path, expected: string, value: unknown, received = nameOfKind(value)): void {
    if (this.isFull) return;
    this.all.push({ path: path.map(shortened), expected, received, message: `Expected ${expected}, received ${received}.` });
  }
}

const shortened = (key: string | number): string | number =>
  typeof key === 'string' && key.length > NAME_CHARACTERS_MAX ? `${key.slice(0, NAME_CHARACTERS_MAX)}…` : key;
