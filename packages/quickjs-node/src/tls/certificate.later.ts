/**
 * A certificate as `socket.getPeerCertificate()` gives it.
 */
import { objectId, text, values, within } from './der.ts';
import type { Der } from './der.ts';

const TAG = { boolean: 0x01, bits: 0x03, octets: 0x04, utcTime: 0x17, version: 0xa0, extensions: 0xa3 } as const;

const NAME_PARTS: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.15': 'businessCategory',
  '2.5.4.17': 'postalCode',
  '2.5.4.42': 'GN',
  '2.5.4.43': 'initials',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
};
const CURVES: Readonly<Record<string, readonly [asn1: string, nist: string | undefined, bits: number]>> = {
  '1.2.840.10045.3.1.7': ['prime256v1', 'P-256', 256],
  '1.3.132.0.34': ['secp384r1', 'P-384', 384],
  '1.3.132.0.35': ['secp521r1', 'P-521', 521],
  '1.3.132.0.10': ['secp256k1', undefined, 256],
};
const EXTENSION = { subjectAltName: '2.5.29.17', basicConstraints: '2.5.29.19', keyUsage: '2.5.29.37', infoAccess: '1.3.6.1.5.5.7.1.1' };
const ACCESS: Readonly<Record<string, string>> = { '1.3.6.1.5.5.7.48.1': 'OCSP', '1.3.6.1.5.5.7.48.2': 'CA Issuers' };
const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';

type Parts = Record<string, string | string[]>;

/** Adds `value`; a name that comes twice has a list. */
function add(parts: Parts, name: string, value: string): void {
  const before = parts[name];
  if (before === undefined) parts[name] = value;
  else parts[name] = [...(Array.isArray(before) ? before : [before]), value];
}

function nameOf(name: Der | undefined): Parts {
  const parts: Parts = Object.create(null) as Parts;
  for (const set of within(name)) {
    for (const pair of within(set)) {
      const [key, value] = within(pair);
      if (key === undefined || value === undefined) continue;
      const id = objectId(key.content);
      add(parts, NAME_PARTS[id] ?? id, text(value));
    }
  }
  return parts;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Nov 23 11:34:10 2026 GMT` */
function dateOf({ tag, content }: Der): string {
  const digits = content.toString('latin1');
  // RFC 5280: 50 and above are of the last century.
  const full = tag === TAG.utcTime ? (Number(digits.slice(0, 2)) < 50 ? '20' : '19') + digits : digits;
  const part = (from: number): string => full.slice(from, from + 2);
  const day = String(Number(part(6))).padStart(2);
  return `${MONTHS[Number(part(4)) - 1]} ${day} ${part(8)}:${part(10)}:${part(12)} ${full.slice(0, 4)} GMT`;
}

const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
/** An integer without the zero in front that makes it positive. */
const magnitude = (bytes: Buffer): Buffer => (bytes[0] === 0 && bytes.length > 1 ? bytes.subarray(1) : bytes);

function address(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return '<invalid>';
  return Array.from({ length: 8 }, (_, index) =>
    bytes
      .readUInt16BE(index * 2)
      .toString(16)
      .toUpperCase(),
  ).join(':');
}

// oxlint-disable-next-line no-control-regex -- what would be mistaken for the end of a name, or for another one, is put into quotes
const UNSAFE = /[",'\\]|[^\u0020-\u007e]/;

/** A name within a list; quoted where it could be taken for more than one (CVE-2021-44532). */
function quoted(name: string): string {
  if (!UNSAFE.test(name)) return name;
  return JSON.stringify(name).replace(/[^\u0020-\u007e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function generalName({ tag, content }: Der): string {
  switch (tag) {
    case 0x81:
      return `email:${quoted(content.toString('latin1'))}`;
    case 0x82:
      return `DNS:${quoted(content.toString('latin1'))}`;
    case 0x86:
      return `URI:${quoted(content.toString('latin1'))}`;
    case 0x87:
      return `IP Address:${address(content)}`;
    case 0x88:
      return `Registered ID:${objectId(content)}`;
    case 0xa4:
      return `DirName:${quoted(
        Object.entries(nameOf(values(content)[0]))
          .map(([key, value]) => `${key}=${String(value)}`)
          .join(','),
      )}`;
    default:
      return 'othername:<unsupported>';
  }
}

/** The contents of extensions, by their ids. */
function extensionsOf(fields: readonly Der[]): ReadonlyMap<string, Der> {
  const found = fields.find(({ tag }) => tag === TAG.extensions);
  const list = found === undefined ? [] : within(values(found.content)[0]);
  return new Map(
    list.map((extension) => {
      const parts = within(extension);
      const inner = parts.find(({ tag }) => tag === TAG.octets);
      return [objectId(parts[0]?.content ?? Buffer.alloc(0)), values(inner?.content ?? Buffer.alloc(0))[0] as Der];
    }),
  );
}

function accessOf(extension: Der | undefined): Parts | undefined {
  if (extension === undefined) return undefined;
  const parts = Object.create(null) as Record<string, string[]>;
  for (const description of within(extension)) {
    const [method, location] = within(description);
    if (method === undefined || location === undefined) continue;
    const id = objectId(method.content);
    const [kind = '', ...rest] = generalName(location).split(':');
    (parts[`${ACCESS[id] ?? id} - ${kind}`] ??= []).push(rest.join(':'));
  }
  return parts;
}

function keyOf(info: Der | undefined): Record<string, unknown> {
  const [algorithm, key] = within(info);
  const [id, parameters] = within(algorithm);
  const bits = (key?.content ?? Buffer.alloc(0)).subarray(1);
  const kind = objectId(id?.content ?? Buffer.alloc(0));
  if (kind === RSA) {
    const [modulus, exponent] = within(values(bits)[0]).map(({ content }) => magnitude(content));
    const number = modulus ?? Buffer.alloc(0);
    return {
      modulus: hex(number),
      exponent: `0x${hex(exponent ?? Buffer.alloc(0))
        .replace(/^0+(?=.)/, '')
        .toLowerCase()}`,
      pubkey: Buffer.from((info as Der).whole),
      bits: number.length * 8 - (Math.clz32(number[0] ?? 0) - 24),
    };
  }
  const none = { modulus: undefined, exponent: undefined };
  if (kind !== EC) return { ...none, pubkey: undefined, bits: undefined };
  const curve = CURVES[objectId(parameters?.content ?? Buffer.alloc(0))];
  return { ...none, pubkey: Buffer.from(bits), bits: curve?.[2], asn1Curve: curve?.[0], nistCurve: curve?.[1] };
}

function fieldsOf(raw: Buffer): Der[] {
  const fields = within(within(values(raw)[0])[0]);
  return fields[0]?.tag === TAG.version ? fields.slice(1) : fields;
}

export interface Names {
  readonly subject: Parts;
  readonly issuer: Parts;
  readonly subjectaltname: string | undefined;
}

/** What `checkServerIdentity` looks at. */
export function namesOf(raw: Buffer): Names {
  const fields = fieldsOf(raw);
  const alternatives = extensionsOf(fields).get(EXTENSION.subjectAltName);
  return {
    subject: nameOf(fields[4]),
    issuer: nameOf(fields[2]),
    subjectaltname: alternatives === undefined ? undefined : within(alternatives).map(generalName).join(', '),
  };
}

function fingerprint(raw: Buffer, algorithm: string): string {
  const digest = process.getBuiltinModule('node:crypto').createHash(algorithm).update(raw).digest('hex');
  return (digest.toUpperCase().match(/../g) ?? []).join(':');
}

function objectOf(raw: Buffer): Record<string, unknown> {
  const fields = fieldsOf(raw);
  const [serial, , , validity, , info] = fields;
  const [from, to] = within(validity);
  const extensions = extensionsOf(fields);
  const usages = extensions.get(EXTENSION.keyUsage);
  const [isAuthority] = extensions.has(EXTENSION.basicConstraints) ? within(extensions.get(EXTENSION.basicConstraints)) : [];
  const { asn1Curve, nistCurve, ...key } = keyOf(info);
  return {
    ...namesOf(raw),
    infoAccess: accessOf(extensions.get(EXTENSION.infoAccess)),
    ca: isAuthority?.tag === TAG.boolean && isAuthority.content[0] !== 0,
    ...key,
    valid_from: dateOf(from as Der),
    valid_to: dateOf(to as Der),
    fingerprint: fingerprint(raw, 'sha1'),
    fingerprint256: fingerprint(raw, 'sha256'),
    fingerprint512: fingerprint(raw, 'sha512'),
    ext_key_usage: usages === undefined ? undefined : within(usages).map(({ content }) => objectId(content)),
    serialNumber: hex(magnitude((serial as Der).content)),
    raw,
    asn1Curve,
    nistCurve,
  };
}

/** Certificates of a way to a root; more are not looked at. */
const PATH_MAX = 100;

/** The first of `chain`, with who issued it where that is among `chain` or `known`. */
export function certificateObject(chain: readonly Buffer[], known: readonly Buffer[], isDetailed: boolean): object {
  const [first] = chain;
  if (first === undefined) return {};
  const made = objectOf(first);
  if (!isDetailed) return made;
  const others = [...chain.slice(1), ...known];
  let last = made;
  let raw = first;
  for (let count = 0; count < PATH_MAX; count += 1) {
    const issuer = fieldsOf(raw)[2]?.whole as Buffer;
    if (fieldsOf(raw)[4]?.whole.equals(issuer)) {
      last['issuerCertificate'] = last;
      break;
    }
    const found = others.find((other) => fieldsOf(other)[4]?.whole.equals(issuer));
    if (found === undefined) break;
    const next = objectOf(found);
    last['issuerCertificate'] = next;
    [last, raw] = [next, found];
  }
  return made;
}
