/**
 * The applications of this process, whatever their style, for whoever lists their routes
 * (`app/registry/index.ts`). An application is noted when it is made, weakly, and nothing is read of it: that is
 * done when somebody asks. Never keeps one alive.
 */
import { readGlobal, setGlobal } from './globals.ts';

/** From here on, and at each doubling, those that are gone are taken out. */
const SWEEP_FROM = 64;

export function noteApplication(app: object): void {
  let list = readGlobal('fulmar.applications');
  if (list === undefined) setGlobal('fulmar.applications', (list = []));
  const { length } = list;
  // A power of two: the work of all sweeps together stays in proportion to what was noted. In place, as `fulmar
  // routes` watches what is pushed.
  if (length >= SWEEP_FROM && (length & (length - 1)) === 0) list.splice(0, length, ...list.filter((one) => one.deref() !== undefined));
  list.push(new WeakRef(app));
}

/** In the order in which they were made, each once. */
export function knownApplications(): object[] {
  const apps = (readGlobal('fulmar.applications') ?? []).flatMap((one) => one.deref() ?? []);
  return [...new Set(apps)];
}
