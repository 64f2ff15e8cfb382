import { cases } from '../harness/cases.ts';

const broken = [
  '',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '[1',
  '[1,',
  'nul',
  'null x',
  '01',
  '-',
  '1.',
  '1e',
  '"a',
  '"\\x"',
  '"\\u12"',
  '"\n"',
  '{a:1}',
];
const longer = [
  '{"first":1,"second":twice,"third":3}',
  'undefined',
  'NaN',
  '[object Object]',
  'x'.repeat(30),
  `${'[1,'.repeat(10)}x`,
  '{\n  "a": 1\n  "b": 2\n}',
];

const messages = (texts: readonly string[]): string[] =>
  texts.map((text) => {
    try {
      return typeof JSON.parse(text);
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
  });

export default cases(
  'JSON',
  {
    'messages of JSON.parse': [() => messages(broken), () => messages(longer)],
    'JSON.parse': [
      () => JSON.parse('{"a":[1,2,{"b":null}]}') as unknown,
      () => JSON.parse('[1,2]', (key, value: unknown) => (key === '' ? value : Number(value) * 2)) as unknown,
      () =>
        JSON.parse('[1]', () => {
          throw new RangeError('mine');
        }) as unknown,
      () => [JSON.parse.name, JSON.parse.length, Object.keys(JSON)],
    ],
  },
  { since: { 'messages of JSON.parse': 22 } },
);
