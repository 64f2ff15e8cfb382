import qs from 'qs';
import { answer, attempt } from './serve.js';
answer(() => [
  qs.parse('a[b][c]=1&d[]=2&d[]=3&e[1]=x&e[0]=y&f=%C3%BC&g&h.i=1', {
    allowDots: true,
    strictNullHandling: true,
  }),
  qs.parse('a=1&a=2&b[__proto__]=x', { duplicates: 'last' }),
  qs.stringify({
    a: { b: [1, 2, { c: 'ü & ä' }] },
    d: null,
    e: undefined,
    f: new Date(0),
  }),
  qs.stringify(
    { a: [1, 2] },
    {
      arrayFormat: 'brackets',
      encode: false,
    },
  ),
  attempt(() =>
    qs.parse('a[b][c][d]=1', {
      depth: 1,
      strictDepth: true,
    }),
  ),
]);
