/**
 * `PerformanceResourceTiming`: only its name; this host does not time requests.
 */
import { illegalConstructor, PerformanceEntry } from './entries.ts';

export class PerformanceResourceTiming extends PerformanceEntry {
  constructor() {
    super();
    throw illegalConstructor();
  }
}
