import punycode from 'node:punycode';
import { cases } from '../harness/cases.ts';

const words = ['mañana', '中文', 'bücher', 'ascii', '', '☃-⌘', 'a😀b'];

export default cases('punycode', {
  encode: [() => words.map((word) => punycode.encode(word))],
  decode: [
    () => words.map((word) => punycode.decode(punycode.encode(word))),
    () => punycode.decode('é'),
    () => punycode.decode('!'),
    () => punycode.decode('zzzzzz'),
  ],
  toASCII: [() => ['mañana.com', 'a@bücher.de', '中文。com', 'x.y', 'a@é@b', 'É.com'].map((domain) => punycode.toASCII(domain))],
  toUnicode: [() => ['xn--maana-pta.com', 'a@xn--bcher-kva.de', 'x.y'].map((domain) => punycode.toUnicode(domain))],
  ucs2: [() => [punycode.ucs2.decode('a😀\ud800'), punycode.ucs2.encode([97, 0x1f600])]],
  version: [() => punycode.version],
});
