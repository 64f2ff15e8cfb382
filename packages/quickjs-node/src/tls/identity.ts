/**
 * Does a certificate stand for a host? By its names alone; whether it is trusted is decided before.
 */
import net from 'node:net';
import { coded } from '../shared/errors.ts';

export interface NamedCertificate {
  readonly subject?: { readonly CN?: string | readonly string[] };
  readonly subjectaltname?: string | undefined;
}

/** One JSON string at the start of a text. */
// oxlint-disable-next-line no-control-regex -- JSON's own rule
const JSON_STRING = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;

/** Names of a list in which some are quoted, because they hold what separates names. */
function quotedNames(list: string): string[] {
  const names: string[] = [];
  let name = '';
  for (let rest = list; rest !== '';) {
    const at = rest.search(/[",]/);
    if (at === -1) {
      name += rest;
      break;
    }
    name += rest.slice(0, at);
    if (rest[at] === ',') {
      names.push(name);
      name = '';
      rest = rest.slice(at + 2);
      continue;
    }
    const quoted = JSON_STRING.exec(rest.slice(at))?.[0];
    if (quoted === undefined) throw coded(SyntaxError, 'ERR_TLS_CERT_ALTNAME_FORMAT', 'Invalid subject alternative name string');
    name += JSON.parse(quoted) as string;
    rest = rest.slice(at + quoted.length);
  }
  return [...names, name];
}

const withoutDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);
const labelsOf = (name: string): string[] =>
  withoutDot(name)
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    .split('.');
const ADDRESS_ONLY_6 = 6;

/** An address in the one form that it is compared in. */
function canonical(address: string): string | undefined {
  const version = net.isIP(address);
  if (version === 0) return undefined;
  return version === ADDRESS_ONLY_6 ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}

/**
 * Does a certificate's `pattern` stand for the host with these labels? `*` stands within the first label
 * only.
 */
function matches(host: readonly string[], pattern: string | undefined): boolean {
  if (!pattern) return false;
  const labels = labelsOf(pattern);
  if (labels.length !== host.length || labels.includes('') || /[^\u0021-\u007f]/.test(pattern)) return false;
  if (labels.slice(1).join('.') !== host.slice(1).join('.')) return false;
  const [first = ''] = labels;
  const [own = ''] = host;
  const [prefix = '', suffix, ...more] = first.split('*');
  // Encoded international names are taken as they are.
  if (suffix === undefined || first.includes('xn--')) return own === first;
  // `*.example` would stand for a whole top-level domain.
  if (more.length > 0 || labels.length <= 2) return false;
  return own.length >= prefix.length + suffix.length && own.startsWith(prefix) && own.endsWith(suffix);
}

/** Why not, or nothing. */
function reasonAgainst(host: string, ascii: string, certificate: NamedCertificate): string | undefined {
  const { subject, subjectaltname: list } = certificate;
  const names = list === undefined || list === '' ? [] : list.includes('"') ? quotedNames(list) : list.split(', ');
  const starting = (kind: string): string[] => names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
  const domains = starting('DNS:');
  const addresses = starting('IP Address:').map(canonical);
  if (net.isIP(host) !== 0) {
    return addresses.includes(canonical(host)) ? undefined : `IP: ${host} is not in the cert's list: ${addresses.join(', ')}`;
  }
  const labels = labelsOf(ascii);
  if (domains.length > 0) {
    if (domains.some((name) => matches(labels, name))) return undefined;
    return `Host: ${host}. is not in the cert's altnames: ${list as string}`;
  }
  const common = subject?.CN;
  if (!common) return 'Cert does not contain a DNS name';
  const commons = typeof common === 'string' ? [common] : common;
  return commons.some((name) => matches(labels, name)) ? undefined : `Host: ${host}. is not cert's CN: ${commons.join(',')}`;
}

/** `tls.checkServerIdentity` */
export function checkServerIdentity(hostname: unknown, certificate: NamedCertificate): Error | undefined {
  const given = `${hostname as string}`;
  const host = withoutDot(given);
  const reason = reasonAgainst(host, process.getBuiltinModule('node:url').domainToASCII(given), certificate);
  if (reason === undefined) return undefined;
  const error = coded(Error, 'ERR_TLS_CERT_ALTNAME_INVALID', `Hostname/IP does not match certificate's altnames: ${reason}`);
  return Object.assign(error, { reason, host, cert: certificate });
}
