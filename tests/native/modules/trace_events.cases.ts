import trace from 'node:trace_events';
import { cases } from '../harness/cases.ts';

export default cases(
  'trace_events',
  {
    getEnabledCategories: [() => trace.getEnabledCategories()],
    createTracing: [() => typeof trace.createTracing({ categories: ['v8'] }).enabled],
  },
  { missing: { createTracing: 'nothing is traced' } },
);
