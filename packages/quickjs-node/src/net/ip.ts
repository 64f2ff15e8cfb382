/**
 * What is an IP address. A host name with a scope (`fe80::1%eth0`) is an IPv6 address, as in Node.
 */

const V4_PART = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]\\d|\\d)';
const V4 = `(?:${V4_PART}\\.){3}${V4_PART}`;
const HEXTET = '[0-9a-fA-F]{1,4}';

let v4: RegExp | undefined;
let v6: RegExp | undefined;

/** One alternative for each place where `::` may stand. */
function v6Source(): string {
  const forms = [`(?:${HEXTET}:){7}(?:${HEXTET}|:)`, `(?:${HEXTET}:){6}(?:${V4}|:${HEXTET}|:)`];
  for (let before = 5; before >= 0; before--) {
    const after = 7 - before;
    const middle = before === 0 ? '' : `(?:${HEXTET}:){${before}}`;
    const gap = after - 2 === 0 ? '' : `(?::${HEXTET}){0,${after - 2}}`;
    forms.push(`${middle}(?:${before === 0 ? ':' : ''}(?:${gap}:${V4}|(?::${HEXTET}){1,${after}}|:))`);
  }
  return `^(?:${forms.join('|')})(?:%[0-9a-zA-Z-.:]{1,})?$`;
}

export function isIPv4(input: unknown): boolean {
  v4 ??= new RegExp(`^${V4}$`);
  return v4.test(`${input as string}`);
}

export function isIPv6(input: unknown): boolean {
  v6 ??= new RegExp(v6Source());
  return v6.test(`${input as string}`);
}

/** 4, 6, or 0 for anything else. */
export function isIP(input: unknown): 0 | 4 | 6 {
  const text = `${input as string}`;
  if (isIPv4(text)) return 4;
  return text.includes(':') && isIPv6(text) ? 6 : 0;
}
