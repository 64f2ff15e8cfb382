/**
 * Guards, one after the other: the first that says no ends it with 403.
 */
import { ForbiddenException } from '../exceptions/family.ts';
import type { CanActivate } from '../nest-types.ts';
import { isThenable } from '../../host/thenable.ts';
import type { Host } from './host.ts';
import { settled } from './values.ts';

/** `undefined`, or a promise where a guard takes its time. @throws ForbiddenException */
export function throughGuards(guards: readonly CanActivate[], host: Host, from = 0): unknown {
  for (let at = from; at < guards.length; at += 1) {
    const answer = settled((guards[at] as CanActivate).canActivate(host));
    if (isThenable(answer))
      return answer.then((later) => {
        check(later);
        return throughGuards(guards, host, at + 1);
      });
    check(answer);
  }
  return undefined;
}

function check(answer: unknown): void {
  if (!answer) throw new ForbiddenException('Forbidden resource');
}
