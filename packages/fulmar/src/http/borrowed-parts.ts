/** What `borrowed.ts` and `header-map.ts` use of the files that a start loads; given with their first use. */
import type { BorrowedParts } from './borrowed-needs.ts';

export const parts = {} as BorrowedParts;

export function take(given: BorrowedParts): void {
  Object.assign(parts, given);
}
