/**
 * What an upstream is told of who asks: `X-Forwarded-…`, `Forwarded` (RFC 7239), `Via`. What the client says
 * of itself in them goes on only where the app trusts the proxy that it comes from.
 */
import type { AnyContext } from '../context.ts';
import { isTrusted } from '../asker.ts';
import { HttpError } from '../http-error.ts';
import type { Fields } from './fields.ts';

export type ForwardedStyle = 'x' | 'standard' | 'both' | false;

const OF_CLIENTS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'forwarded'];
/** A proxy that asks itself would go on until descriptors run out. */
const HOPS_MAX = 10;
const LOOP_DETECTED = 508;

export function sayForwarded(c: AnyContext, fields: Fields, style: ForwardedStyle): void {
  const peer = c.exchange.connection.remote?.address ?? '';
  const isBelieved = isTrusted(c.exchange, c.settings.trust);
  const givenFor = isBelieved ? fields.text('x-forwarded-for') : undefined;
  const given = isBelieved ? fields.text('forwarded') : undefined;
  for (const name of OF_CLIENTS) fields.delete(name);
  if (style === false) return;
  const { host, protocol: proto } = c;
  if (style !== 'standard') {
    if (peer !== '') fields.put('X-Forwarded-For', givenFor === undefined ? peer : `${givenFor}, ${peer}`);
    if (host !== '') fields.put('X-Forwarded-Host', host);
    fields.put('X-Forwarded-Proto', proto);
  }
  if (style !== 'x') {
    const node = peer === '' ? 'unknown' : peer.includes(':') ? `"[${peer}]"` : peer;
    const element = `for=${node}${host === '' ? '' : `;host=${quoted(host)}`};proto=${/^[a-z]+$/i.test(proto) ? proto : 'http'}`;
    fields.put('Forwarded', given === undefined ? element : `${given}, ${element}`);
  }
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** @throws HttpError 508 for a request that has come by here too often */
export function sayVia(fields: Fields, { version, name }: { version: string; name: string }): void {
  const before = fields.text('via');
  const hops = (before ?? '').split(',').filter((hop) => hop.trim().split(/\s+/)[1] === name).length;
  if (hops >= HOPS_MAX) throw new HttpError(LOOP_DETECTED, `The request has come through ${name} ${hops} times.`);
  fields.put('Via', before === undefined ? `${version} ${name}` : `${before}, ${version} ${name}`);
}
