/**
 * The name of a host as routes are bound to one: `api.example.com`, `:tenant.example.com`. Compared in the one
 * spelling of `hostnameOf`; it knows no ports.
 */
import { shown } from './checked-options.ts';

export interface HostPattern {
  readonly text: string;
  readonly labels: readonly string[];
  /** How many labels stand for any: fewer are more particular. */
  readonly variables: number;
}

const LABEL = /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?|:[A-Za-z_$][\w$]*)$/u;
const ADDRESS = /^\[[\da-f:.]+\]$/i;

/** @throws TypeError for what is no host's name */
export function toHostPattern(given: unknown): HostPattern {
  const text = typeof given === 'string' ? given.toLowerCase() : '';
  if (ADDRESS.test(text)) return { text, labels: [text], variables: 0 };
  const labels = (typeof given === 'string' ? given : '').replace(/\.$/, '').split('.');
  if (!labels.every((label) => LABEL.test(label))) {
    throw new TypeError(
      `A host is a name without protocol and port, such as 'api.example.com' or ':tenant.example.com', and this is ${shown(given)}.`,
    );
  }
  const spelt = labels.map((label) => (label.startsWith(':') ? label : label.toLowerCase()));
  return { text: spelt.join('.'), labels: spelt, variables: spelt.filter((label) => label.startsWith(':')).length };
}

/** What the variables stand for; null where the host is another. */
export function matchHost({ labels }: HostPattern, hostname: string): Readonly<Record<string, string>> | null {
  const asked = hostname.startsWith('[') ? [hostname] : hostname.split('.');
  if (asked.length !== labels.length) return null;
  const values = Object.create(null) as Record<string, string>;
  for (const [at, label] of labels.entries()) {
    const value = asked[at] as string;
    if (label.startsWith(':') && value !== '') values[label.slice(1)] = value;
    else if (label !== value) return null;
  }
  return values;
}
