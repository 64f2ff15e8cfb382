/**
 * Fields on their way through a proxy: what is of one connection stays here (RFC 9110, 7.6.1), and so does
 * what says how long content is, which each side says anew. Pure.
 */

const OF_CONNECTIONS: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export const isOfConnection = (name: string): boolean => OF_CONNECTIONS.includes(name.toLowerCase());

/** Fields in their order, by name in lower case: as written first, with the values of all their lines. */
export class Fields extends Map<string, readonly [name: string, values: readonly string[]]> {
  add(name: string, value: string): void {
    const key = name.toLowerCase();
    const before = this.get(key);
    this.set(key, before === undefined ? [name, [value]] : [before[0], [...before[1], value]]);
  }

  put(name: string, value: string | null): void {
    if (value === null) this.delete(name.toLowerCase());
    else this.set(name.toLowerCase(), [name, [value]]);
  }

  text(name: string): string | undefined {
    return this.get(name)?.[1].join(', ');
  }
}

/** Those that go on: without those of the connection, and without those that `Connection` names. */
export function passedOn(raw: readonly string[]): Fields {
  const stay = new Set(OF_CONNECTIONS);
  for (let at = 0; at < raw.length; at += 2) {
    if ((raw[at] as string).toLowerCase() !== 'connection') continue;
    for (const name of (raw[at + 1] as string).split(',')) stay.add(name.trim().toLowerCase());
  }
  const fields = new Fields();
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (!stay.has(name.toLowerCase())) fields.add(name, raw[at + 1] as string);
  }
  return fields;
}
