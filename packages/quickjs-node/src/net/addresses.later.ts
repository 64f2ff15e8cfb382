/**
 * `net.BlockList` and `net.SocketAddress`. Addresses are compared as numbers; an IPv4 address in IPv6 form
 * counts as IPv4.
 */
import { coded, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { isIP } from './ip.ts';
import { validateInt32, validateObject, validatePort, validateString, validateUint32 } from '../shared/validators.ts';

type Family = 'ipv4' | 'ipv6';

const BITS = { ipv4: 32, ipv6: 128 } as const;
const MAPPED = 0xffffn;

const invalidAddress = (): Error => coded(Error, 'ERR_INVALID_ADDRESS', 'Invalid socket address');

function familyOf(value: unknown, name: string): Family {
  if (typeof value !== 'string') throw invalidArgValue(name, value);
  const family = value.toLowerCase();
  if (family !== 'ipv4' && family !== 'ipv6') throw invalidArgValue(name, value);
  return family;
}

function number4(address: string): bigint {
  return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function number6(address: string): bigint {
  const { hostname } = new URL(`http://[${address.split('%')[0]}]/`);
  const [before = '', after] = hostname.slice(1, -1).split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const middle = after === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...middle, ...right].reduce((sum, part) => sum * 0x10000n + BigInt(`0x${part}`), 0n);
}

interface SocketAddressOptions {
  address?: string;
  family?: string;
  port?: number;
  flowlabel?: number;
}

export class SocketAddress {
  readonly #address: string;
  readonly #family: Family;
  readonly #port: number;
  readonly #flowlabel: number;

  constructor(options: SocketAddressOptions = {}) {
    validateObject(options, 'options');
    const family = familyOf(options.family ?? 'ipv4', 'options.family');
    const { address = family === 'ipv4' ? '127.0.0.1' : '::', port = 0, flowlabel = 0 } = options;
    validateString(address, 'options.address');
    this.#port = validatePort(port, 'options.port');
    validateUint32(flowlabel, 'options.flowlabel');
    if (isIP(address) !== (family === 'ipv4' ? 4 : 6)) throw invalidAddress();
    this.#address = address;
    this.#family = family;
    this.#flowlabel = flowlabel;
  }

  static isSocketAddress(value: unknown): boolean {
    return typeof value === 'object' && value !== null && #address in value;
  }

  static parse(input: unknown): SocketAddress | undefined {
    validateString(input, 'input');
    try {
      const { hostname, port } = new URL(`http://${input}`);
      if (hostname.startsWith('[')) return new SocketAddress({ address: hostname.slice(1, -1), port: Number(port), family: 'ipv6' });
      return new SocketAddress({ address: hostname, port: Number(port) });
    } catch {
      return undefined;
    }
  }

  get address(): string {
    return this.#address;
  }

  get family(): string {
    return this.#family;
  }

  get port(): number {
    return this.#port;
  }

  get flowlabel(): number {
    return this.#family === 'ipv4' ? 0 : this.#flowlabel;
  }

  toJSON(): object {
    return { address: this.address, port: this.port, family: this.family, flowlabel: this.flowlabel };
  }
}

interface Rule {
  readonly family: Family;
  readonly first: bigint;
  readonly last: bigint;
  readonly text: string;
}

const nameOf = (family: Family): string => (family === 'ipv4' ? 'IPv4' : 'IPv6');

function given(value: unknown, family: unknown, name: string): SocketAddress {
  if (SocketAddress.isSocketAddress(value)) return value as SocketAddress;
  validateString(value, name);
  return new SocketAddress({ address: value, family: familyOf(family, 'family') });
}

const numberOf = ({ address, family }: SocketAddress): bigint => (family === 'ipv4' ? number4(address) : number6(address));

export class BlockList {
  readonly #rules: Rule[] = [];

  static isBlockList(value: unknown): boolean {
    return typeof value === 'object' && value !== null && #rules in value;
  }

  addAddress(address: unknown, family: unknown = 'ipv4'): void {
    const one = given(address, family, 'address');
    const at = numberOf(one);
    this.#add({ family: one.family as Family, first: at, last: at, text: `Address: ${nameOf(one.family as Family)} ${one.address}` });
  }

  addRange(start: unknown, end: unknown, family: unknown = 'ipv4'): void {
    const from = given(start, family, 'start');
    const to = given(end, family, 'end');
    const rule = { family: from.family as Family, first: numberOf(from), last: numberOf(to) };
    if (from.family !== to.family || rule.first > rule.last) throw invalidArgValue('start', start, `must come before ${to.address}`);
    this.#add({ ...rule, text: `Range: ${nameOf(rule.family)} ${from.address}-${to.address}` });
  }

  addSubnet(network: unknown, prefix: unknown, family: unknown = 'ipv4'): void {
    const net = given(network, family, 'network');
    const kind = net.family as Family;
    validateInt32(prefix, 'prefix', 0, BITS[kind]);
    const size = 1n << BigInt(BITS[kind] - prefix);
    const first = (numberOf(net) / size) * size;
    this.#add({ family: kind, first, last: first + size - 1n, text: `Subnet: ${nameOf(kind)} ${net.address}/${prefix}` });
  }

  #add(rule: Rule): void {
    this.#rules.unshift(rule);
  }

  check(address: unknown, family: unknown = 'ipv4'): boolean {
    let one: SocketAddress;
    try {
      one = given(address, family, 'address');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_INVALID_ADDRESS') return false;
      throw error;
    }
    const at = numberOf(one);
    const isMapped = one.family === 'ipv6' && at >> 32n === MAPPED;
    return this.#rules.some((rule) => {
      if (rule.family === one.family) return at >= rule.first && at <= rule.last;
      const as4 = at & 0xffffffffn;
      return isMapped && rule.family === 'ipv4' && as4 >= rule.first && as4 <= rule.last;
    });
  }

  get rules(): string[] {
    return this.#rules.map(({ text }) => text);
  }

  toJSON(): string[] {
    return this.rules;
  }

  fromJSON(data: unknown): void {
    const list: unknown = typeof data === 'string' ? JSON.parse(data) : data;
    if (!Array.isArray(list)) throw invalidArgType('data', ['string', 'Array'], data);
    for (const text of list as string[]) {
      const [, kind, version, rest = ''] = /^(Address|Range|Subnet): (IPv[46]) (.+)$/.exec(text) ?? [];
      const family = version?.toLowerCase();
      const [first, second] = rest.split(kind === 'Subnet' ? '/' : '-');
      if (kind === 'Address') this.addAddress(rest, family);
      else if (kind === 'Range') this.addRange(first, second, family);
      else if (kind === 'Subnet') this.addSubnet(first, Number(second), family);
    }
  }
}
