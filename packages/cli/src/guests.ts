/**
 * Other languages (`fulmar/polyglot`) as `fulmar info` and `fulmar doctor` tell of them. Asks their interpreters where they
 * are; starts none in this process.
 */
import { guests, type GuestReport } from '../../fulmar/src/polyglot/index.ts';

export type { GuestReport };

/** @param names those that are wanted; all, if it is left out */
export function lookForGuests(names?: ReadonlySet<string>): Promise<GuestReport[]> {
  const wanted = [...guests.values()].filter(({ name }) => names === undefined || names.has(name));
  return Promise.all(wanted.map((guest) => guest.look()));
}

/** One line, without the name. */
export function describeGuest({ problem, version, executable, reason, library }: GuestReport): string {
  if (problem !== null) return `not available: ${problem}`;
  const chosen = [executable, reason === null ? null : `by ${reason}`].filter((one) => one !== null).join(', ');
  const program = chosen === '' ? '' : ` (${chosen})`;
  return `${version ?? 'found'}${program}${library === null ? '' : `, library ${library}`}`;
}
