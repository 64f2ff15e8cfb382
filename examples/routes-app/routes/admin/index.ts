/** What only those who keep the logbook see. */
import { totals } from '../../lib/logbook.ts';

export const GET = () => ({ totals: totals(), memoryMb: Math.round(process.memoryUsage().rss / 1e6) });
