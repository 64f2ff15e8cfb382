/** Cases of `node:inspector`, which this host does not have. */
import inspector from 'node:inspector';
import { cases } from '../harness/cases.ts';

export default cases(
  'inspector',
  {
    url: [() => inspector.url()],
    close: [() => typeof inspector.close],
    console: [() => typeof inspector.console],
  },
  {},
);
