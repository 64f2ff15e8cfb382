/**
 * The applications of this process, whatever their style, for whoever lists their routes
 * (`app/registry/index.ts`). An application is noted when it is made, weakly, and nothing is read of it: that is
 * done when somebody asks. Never keeps one alive.
 */
import { readGlobal, setGlobal } from './globals.ts';

/** From here on, and at each doubling, those that are gone are taken out. */
const SWEEP_FROM = 64;

export function noteApplication(app: object): void {
  const list = readGlobal('fulmar.applications') ?? [];
  const { length } = list;
  // A power of two: the work of all sweeps together stays in proportion to what was noted.
  const isSwept = length >= SWEEP_FROM && (length & (length - 1)) === 0;
  const kept = isSwept ? list.filter((one) => one.deref() !== undefined) : list;
  kept.push(new WeakRef(app));
  if (kept.length === 1 || kept !== list) setGlobal('fulmar.applications', kept);
}

/** In the order in which they were made, each once. */
export function knownApplications(): object[] {
  const apps = (readGlobal('fulmar.applications') ?? []).flatMap((one) => one.deref() ?? []);
  return [...new Set(apps)];
}
