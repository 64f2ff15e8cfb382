/** `node:punycode`: Punycode (RFC 3492), for programs that still use it. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;
const DELIMITER = '-';
const MAX_INT = 2 ** 31 - 1;
const SEPARATORS = /[\u002e\u3002\uff0e\uff61]/g;
const NOT_ASCII = /[^\0-\u007f]/;

function overflow(): RangeError {
  return new RangeError('Overflow: input needs wider integers to process');
}

function adapted(given: number, points: number, first: boolean): number {
  let delta = first ? Math.floor(given / DAMP) : given >> 1;
  delta += Math.floor(delta / points);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) delta = Math.floor(delta / (BASE - T_MIN));
  return Math.floor(k + ((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}

function threshold(k: number, bias: number): number {
  return k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
}

function digitOf(code: number): number {
  if (code >= 0x30 && code < 0x3a) return 26 + (code - 0x30);
  if (code >= 0x41 && code < 0x5b) return code - 0x41;
  return code >= 0x61 && code < 0x7b ? code - 0x61 : BASE;
}

function charOf(digit: number): string {
  return String.fromCharCode(digit < 26 ? digit + 0x61 : digit + 0x30 - 26);
}

function decode(input: string): string {
  const basic = Math.max(0, input.lastIndexOf(DELIMITER));
  const output = Array.from(input.slice(0, basic), (char) => char.charCodeAt(0));
  if (output.some((code) => code >= 0x80)) throw new RangeError('Illegal input >= 0x80 (not a basic code point)');
  let [n, i, bias] = [INITIAL_N, 0, INITIAL_BIAS];
  for (let index = basic > 0 ? basic + 1 : 0; index < input.length;) {
    const before = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      if (index >= input.length) throw new RangeError('Invalid input');
      const digit = digitOf(input.charCodeAt(index));
      index += 1;
      if (digit >= BASE) throw new RangeError('Invalid input');
      if (digit > Math.floor((MAX_INT - i) / weight)) throw overflow();
      i += digit * weight;
      const t = threshold(k, bias);
      if (digit < t) break;
      if (weight > Math.floor(MAX_INT / (BASE - t))) throw overflow();
      weight *= BASE - t;
    }
    const count = output.length + 1;
    bias = adapted(i - before, count, before === 0);
    if (Math.floor(i / count) > MAX_INT - n) throw overflow();
    n += Math.floor(i / count);
    i %= count;
    output.splice(i, 0, n);
    i += 1;
  }
  return String.fromCodePoint(...output);
}

function encodedDelta(delta: number, bias: number): string {
  let output = '';
  let q = delta;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (q < t) return output + charOf(q);
    output += charOf(t + ((q - t) % (BASE - t)));
    q = Math.floor((q - t) / (BASE - t));
  }
}

function encode(input: string): string {
  const points = ucs2.decode(input);
  let output = points
    .filter((point) => point < 0x80)
    .map((point) => String.fromCharCode(point))
    .join('');
  const basic = output.length;
  let handled = basic;
  if (basic > 0) output += DELIMITER;
  let [n, delta, bias] = [INITIAL_N, 0, INITIAL_BIAS];
  while (handled < points.length) {
    const next = Math.min(...points.filter((point) => point >= n));
    if (next - n > Math.floor((MAX_INT - delta) / (handled + 1))) throw overflow();
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta += 1;
      if (delta > MAX_INT) throw overflow();
      if (point !== n) continue;
      output += encodedDelta(delta, bias);
      bias = adapted(delta, handled + 1, handled === basic);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    n += 1;
  }
  return output;
}

/** Each label of a domain; what is before `@` stays. */
function mapDomain(domain: string, change: (label: string) => string): string {
  const at = domain.indexOf('@');
  const user = at === -1 ? '' : domain.slice(0, at + 1);
  const labels = domain
    .slice(at + 1)
    .replace(SEPARATORS, '.')
    .split('.');
  return user + labels.map(change).join('.');
}

const ucs2 = {
  decode(string: string): number[] {
    const points: number[] = [];
    for (let index = 0; index < string.length; index += 1) {
      const point = string.codePointAt(index) ?? 0;
      if (point > 0xffff) index += 1;
      points.push(point);
    }
    return points;
  },
  encode: (codePoints: readonly number[]): string => String.fromCodePoint(...codePoints),
};

export default {
  version: '2.1.0',
  ucs2,
  decode,
  encode,
  toASCII: (input: string): string => mapDomain(input, (label) => (NOT_ASCII.test(label) ? `xn--${encode(label)}` : label)),
  toUnicode: (input: string): string =>
    mapDomain(input, (label) => (label.startsWith('xn--') ? decode(label.slice(4).toLowerCase()) : label)),
};
