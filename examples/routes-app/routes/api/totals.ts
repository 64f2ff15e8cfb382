/** Counted at most once in a second, however many ask. */
import { totals } from '../../lib/logbook.ts';

export const config = { cache: { ttl: 1000, stale: 10_000 } };
export const GET = () => totals();
