/**
 * `node:trace_events`: nothing is traced.
 */
import { unavailable } from '../shared/unavailable.ts';

export default {
  createTracing: unavailable('trace_events.createTracing'),
  getEnabledCategories: (): undefined => undefined,
};
