/**
 * Which proxies an application trusts, and whom a request comes from when they are believed. `compileTrust`
 * runs at configuration time, the others when somebody asks for an address.
 */
import type { IncomingMessage } from 'node:http';
import { proxyAddr } from './lazy.ts';

/** Whether the proxy at `address` is believed; `hop` counts from the connection's peer, which is 0. */
export type TrustFunction = (address: string | undefined, hop: number) => boolean;

/** Takes a function, true, a number of proxies, or addresses and subnets, as a list or as text. */
export function compileTrust(value: unknown): TrustFunction {
  if (typeof value === 'function') return value as TrustFunction;
  if (value === true) return () => true;
  if (typeof value === 'number') return (_address, hop) => hop < value;
  // Nothing is trusted by default; the library is loaded when there is something to compile.
  if (!value && value !== '') return trustNone;
  const addresses = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
  return proxyAddr().compile(addresses as string[]);
}

function trustNone(): boolean {
  return false;
}

/** The first address, seen from here, that is not a trusted proxy's. */
export function clientAddress(req: IncomingMessage, trust: TrustFunction): string {
  return proxyAddr()(req, trust);
}

/** The addresses behind the connection's peer, the client's first; none where the peer is not trusted. */
export function forwardedAddresses(req: IncomingMessage, trust: TrustFunction): string[] {
  const addresses = proxyAddr().all(req, trust);
  addresses.reverse().pop();
  return addresses;
}
