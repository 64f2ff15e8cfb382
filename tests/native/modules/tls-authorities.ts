/**
 * Certificates made for one test each, with any extensions: a root, perhaps an authority below it, and a
 * peer.
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { CERTIFICATES, KEY } from './tls-certificates.ts';

type Part = Buffer | string;

const SIZE_LONG = 0x80;

function size(bytes: number): Buffer {
  return Buffer.from(bytes < SIZE_LONG ? [bytes] : bytes < 256 ? [0x81, bytes] : [0x82, bytes >> 8, bytes & 255]);
}

export function der(tag: number, ...parts: Part[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from([tag]), size(content.length), content]);
}

const sequence = (...parts: Part[]): Buffer => der(0x30, ...parts);
/** An object identifier, from its bytes. */
const id = (hex: string): Buffer => der(6, Buffer.from(hex, 'hex'));
const yes = der(1, Buffer.from([255]));
const whole = (value: number): Buffer => der(2, Buffer.from([value]));
const named = (...texts: Part[]): Buffer => sequence(...texts.map((text) => der(0x31, sequence(id('550403'), der(12, text)))));

const extension = (name: string, value: Buffer, isCritical = true): Buffer =>
  sequence(id(name), ...(isCritical ? [yes] : []), der(4, value));

/** An authority, and how many may be below it. */
export const authority = (below?: number): Buffer => extension('551d13', sequence(yes, ...(below === undefined ? [] : [whole(below)])));
export const noAuthority = extension('551d13', sequence());
export const usage = (bits: number): Buffer => extension('551d0f', der(3, Buffer.from([0, bits])));
/** 1: for servers, 2: for clients. */
export const purpose = (last: number): Buffer =>
  extension('551d25', sequence(id(`2b060105050703${last.toString(16).padStart(2, '0')}`)), false);
export const netscape = (bits: number): Buffer => extension('6086480186f8420101', der(3, Buffer.from([0, bits])), false);
export const domains = (...names: string[]): Buffer => extension('551d11', sequence(...names.map((name) => der(0x82, name))), false);
/** 0xa0: permitted, 0xa1: excluded. */
export const within = (kind: 0xa0 | 0xa1, domain: string): Buffer => extension('551d1e', sequence(der(kind, sequence(der(0x82, domain)))));
export const unknown = extension('2a0304', der(5));

export const SIGNS_CERTIFICATES = 0x04;
export const SIGNS = 0x80;

export interface Made {
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
  readonly extensions?: readonly Buffer[];
}

// Whose key it is does not matter here: names tell certificates apart.
const key = createPrivateKey(KEY);
const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
const ECDSA = sequence(id('2a8648ce3d040302'));
let serial = 0;

function certificate(made: Made, subject: string, issuer: string): string {
  serial += 1;
  const time = (text: string): Buffer => der(0x18, `${text}0101000000Z`);
  const version = der(0xa0, whole(2));
  const validity = sequence(time(made.from ?? '2020'), time(made.to ?? '2120'));
  const extensions = der(0xa3, sequence(...(made.extensions ?? [])));
  const signed = sequence(version, whole(serial % 128), ECDSA, named(issuer), validity, named(subject), publicKey, extensions);
  const bits = der(3, Buffer.from([0]), sign('sha256', signed, key));
  return `-----BEGIN CERTIFICATE-----\n${sequence(signed, ECDSA, bits).toString('base64')}\n-----END CERTIFICATE-----`;
}

export interface Chain {
  readonly root?: Made;
  readonly between?: Made;
  readonly peer?: Made;
}

const usual: Made = { extensions: [authority(), usage(SIGNS_CERTIFICATES)] };

/** What a peer shows, and what the other one trusts. */
export function chain({ root, between, peer }: Chain): { key: string; cert: string; ca: string } {
  const subject = peer?.subject ?? 'localhost';
  const own = certificate({ extensions: [domains('localhost')], ...peer }, subject, between === undefined ? 'An authority' : 'One between');
  const middle = between === undefined ? [] : [certificate({ ...usual, ...between }, 'One between', 'An authority')];
  return { key: KEY, cert: [own, ...middle].join('\n'), ca: certificate({ ...usual, ...root }, 'An authority', 'An authority') };
}

/** Alone, and trusted as itself. */
export function alone(made: Made): { key: string; cert: string; ca: string } {
  const cert = certificate(made, 'localhost', 'localhost');
  return { key: KEY, cert, ca: cert };
}

export const ANY_SERVER = { key: KEY, cert: CERTIFICATES.leaf };
