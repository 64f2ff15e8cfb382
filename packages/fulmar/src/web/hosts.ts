/** Names of hosts, and the lists that proxies write. Pure functions over texts. */

/** A list's first value, with the white space around it: proxies put their own behind what they were sent. */
export function firstValue(list: string): string {
  const comma = list.indexOf(',');
  return comma === -1 ? list : list.slice(0, comma);
}

/** The host's name or address; a literal IPv6 address has colons of its own, inside brackets. */
export function withoutPort(host: string): string {
  const colon = host.indexOf(':', host[0] === '[' ? host.indexOf(']') + 1 : 0);
  return colon === -1 ? host : host.slice(0, colon);
}

/** Innermost first, without the last `offset` labels of the name. */
export function subdomainsOf(hostname: string, offset: number): string[] {
  return hostname.split('.').reverse().slice(offset);
}
