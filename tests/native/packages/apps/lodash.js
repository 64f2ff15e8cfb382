import _ from 'lodash';
import { answer } from './serve.js';
answer(() => {
  let calls = 0;
  const memoized = _.memoize((x) => (calls += 1) + x);
  return [
    _.chunk([1, 2, 3, 4, 5], 2),
    _.groupBy(['one', 'two', 'three'], 'length'),
    _.merge({ a: { b: 1 } }, { a: { c: [1, { d: 2 }] } }),
    _.get({ a: [{ b: 3 }] }, 'a[0].b'),
    _.set({}, 'x.y[2]', 1),
    _.cloneDeep({
      d: new Date(0),
      m: [...new Map([[1, { a: 1 }]])],
      r: String(/x/g),
    }),
    _.template('hello <%= name %>! <% _.forEach(items, (item) => { %><%- item %>,<% }) %>')({
      name: 'you',
      items: ['<', 'b'],
    }),
    _.camelCase('déjà vu--again'),
    _.words('fred, barney & pebbles'),
    _.orderBy(
      [
        {
          a: 1,
          b: 2,
        },
        {
          a: 1,
          b: 3,
        },
        {
          a: 0,
          b: 1,
        },
      ],
      ['a', 'b'],
      ['desc', 'asc'],
    ),
    memoized(1),
    memoized(1),
    _.isEqual(new Map([[1, [2]]]), new Map([[1, [2]]])),
    _.flow([(x) => x + 1, (x) => x * 2])(3),
    _.toPath('a.b[0]["c"]'),
  ];
});
