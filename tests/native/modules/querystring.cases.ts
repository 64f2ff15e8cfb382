import querystring from 'node:querystring';
import { cases } from '../harness/cases.ts';

const entries = (text: string, ...rest: [string?, string?, querystring.ParseOptions?]): object => ({ ...querystring.parse(text, ...rest) });

export default cases('querystring', {
  parse: [
    () => ['a=1&b=2&a=3', '', '&&a&=b&c=', 'a=b=c', 'x+y=%20+z', 'a=%zz%41', 'é=€', '%E4%BD', 'a%3Db=1'].map((text) => entries(text)),
    () => [entries('a:1;b:2', ';', ':'), entries('a--1&&b--2', '&&', '--')],
    () => [entries('a=1&b=2&c=3', '&', '=', { maxKeys: 2 }), entries('a=1&b=2', '&', '=', { maxKeys: 0 })],
    () => entries('a=1&b=%41', '&', '=', { decodeURIComponent: (text) => `<${text}>` }),
    () => querystring.parse(5 as never),
    () => Object.getPrototypeOf(querystring.parse('a=1')),
  ],
  decode: [() => querystring.decode === querystring.parse],
  stringify: [
    () => querystring.stringify({ a: 1, b: [1, 'x'], c: true, d: null, e: undefined, f: NaN, g: 10n, h: 'é &=', i: [] }),
    () => [querystring.stringify({ a: 1, b: 2 }, ';', ':'), querystring.stringify('x' as never), querystring.stringify(null as never)],
    () => querystring.stringify({ a: 'b' }, '&', '=', { encodeURIComponent: (text) => `<${text}>` }),
    () => querystring.stringify({ a: 1e21, b: -1.5 }),
  ],
  encode: [() => querystring.encode === querystring.stringify],
  escape: [
    () => [querystring.escape("a b!'()*~é€"), querystring.escape(5 as never), querystring.escape({} as never)],
    () => querystring.escape('\ud800'),
    () => ['\ud800a', '\udc00\ud800', '😀', 'a\udfffé😀'].map((text) => querystring.escape(text)),
  ],
  unescape: [() => ['a%20b', '%zz', 'a+b', '%E4%BD%A0', '%ff'].map((text) => querystring.unescape(text))],
  unescapeBuffer: [() => [(querystring as unknown as { unescapeBuffer(text: string): Buffer }).unescapeBuffer('a%20b%zz').toString()]],
});
