/** Values that fit the types of `shapes.ts`, the same in each run. */

const light = { id: 17, name: 'Ada', surname: 'Lovelace', active: true, lastUpdate: '2026-01-02T03:04:05.678Z' };
const address = { street: '12 St James Square', city: 'London', zip: 'SW1Y 4JH', country: 'United Kingdom' };
const payments = [
  { kind: 'card', number: '4111 1111 1111 1111', expires: '2031-07' },
  { kind: 'transfer', iban: 'GB29 NWBK 6016 1331 9268 19', bank: 'National Westminster' },
  { kind: 'invoice', days: 30, address },
];
const treeOf = (depth, at) => ({
  value: at,
  name: `node ${at}`,
  children: depth === 0 ? [] : Array.from({ length: 3 }, (_, child) => treeOf(depth - 1, at * 3 + child)),
});

export const values = {
  light,
  dated: { id: 17, name: 'Ada', surname: 'Lovelace', lastUpdate: new Date('2026-01-02T03:04:05.678Z') },
  heavy: {
    ...light,
    email: 'ada@example.com',
    tags: ['mathematics', 'poetry', 'engines', 'programs', 'notes', 'bernoulli'],
    payment: payments[2],
    orders: Array.from({ length: 6 }, (_, at) => ({ id: at, total: 26.75 + at * 7.25, isPaid: at % 2 === 0, payment: payments[at % 3] })),
  },
  items: Array.from({ length: 100 }, (_, at) => ({ id: at, name: `Item number ${at}`, score: at * 1.5, active: at % 3 === 0 })),
  numbers: Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? at * 31 : at / 7)),
  strings: Array.from({ length: 100 }, (_, at) => `a text of some length, ${at}`),
  tree: treeOf(3, 1),
};
