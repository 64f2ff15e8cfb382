/**
 * Whom a request comes from and whom it was meant for, as far as proxies in front are believed. Asked for by
 * contexts, by limits and by logs.
 */
import type { Exchange } from '../exchange/types.ts';
import { firstValue, withoutPort } from '../web/hosts.ts';
import { clientAddress, compileTrust, forwardedAddresses, type TrustFunction } from '../web/trust.ts';
import { isIpv4, isIpv6 } from '../shape/validate/addresses.ts';

/** What Express's `trust proxy` takes. */
export type TrustProxy = boolean | number | string | readonly string[] | ((address: string, hop: number) => boolean);

/** Null: nobody is believed. @throws TypeError for what is no address */
export function toTrust(given: TrustProxy): TrustFunction | null {
  if (given === false || given === 0) return null;
  return compileTrust(given);
}

const peerOf = (exchange: Exchange): string => exchange.connection.remote?.address ?? '';

/** What is no address (a client may write anything into the field) is nobody's: the nearest to it that is one. */
export function addressOf(exchange: Exchange, trust: TrustFunction | null): string {
  const peer = peerOf(exchange);
  if (trust === null) return peer;
  const socket = { remoteAddress: peer };
  const headers = { 'x-forwarded-for': exchange.header('x-forwarded-for') };
  const request = { headers, socket, connection: socket } as never;
  const address = toIp(clientAddress(request, trust));
  if (address !== undefined) return address;
  for (const other of forwardedAddresses(request, trust)) {
    const ip = toIp(other);
    if (ip !== undefined) return ip;
  }
  return peer;
}

/** The longest form of IPv6 with a zone, brackets and a port. */
const ADDRESS_MAX = 80;

/** An address without the port that some proxies write behind it. */
function toIp(text: string | undefined): string | undefined {
  if (text === undefined || text.length > ADDRESS_MAX) return undefined;
  if (isIpv6(text.split('%', 1)[0] as string) || isIpv4(text)) return text;
  const [, v6, v4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  if (v6 !== undefined && isIpv6(v6)) return v6;
  return v4 !== undefined && isIpv4(v4) ? v4 : undefined;
}

/** Whether what the peer says of those before it is believed. */
export const isTrusted = (exchange: Exchange, trust: TrustFunction | null): boolean => trust?.(peerOf(exchange), 0) === true;

/** A field that the proxy in front has written: the value nearest to the client. */
function forwarded(exchange: Exchange, trust: TrustFunction | null, name: string): string | undefined {
  if (!isTrusted(exchange, trust)) return undefined;
  const value = exchange.header(name);
  const first = value === undefined ? '' : firstValue(value).trim();
  return first === '' ? undefined : first;
}

/** With its port, as the client wrote it; empty where it did not. */
export function hostOf(exchange: Exchange, trust: TrustFunction | null): string {
  return forwarded(exchange, trust, 'x-forwarded-host') ?? authorityOf(exchange.target) ?? exchange.header('host') ?? '';
}

/** Of an absolute-form target, which goes before `Host` (RFC 9112, 3.2.2). */
function authorityOf(target: string): string | undefined {
  if (target.charCodeAt(0) === 0x2f) return undefined;
  return /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(target)?.[1];
}

/** In the one spelling that hosts are compared in: lower case, without port and dot at the end. */
export function hostnameOf(host: string): string {
  const name = withoutPort(host).toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

export function protocolOf(exchange: Exchange, trust: TrustFunction | null): string {
  return forwarded(exchange, trust, 'x-forwarded-proto')?.toLowerCase() ?? (exchange.connection.secure === true ? 'https' : 'http');
}
