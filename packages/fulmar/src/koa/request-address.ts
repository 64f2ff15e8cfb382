/**
 * Who a request is for and who it comes from: host, protocol, addresses, with the fields of proxies where the
 * application trusts them. The socket is asked only when no field answers.
 */
import { isIP } from 'node:net';
import { isPlainHttp } from '../http/index.ts';
import { firstValue, subdomainsOf as subdomainsOfName } from '../web/hosts.ts';
import type { KoaRequest } from './types.ts';

const IP = Symbol('context#ip');

type Own = KoaRequest & { [IP]?: string };

const self = (value: unknown): Own => value as Own;

/** The host with its port, without userinfo. Empty: there is none, or it is not one. */
function hostOf(request: KoaRequest): string {
  let field = request.app.proxy ? request.get('X-Forwarded-Host') : '';
  if (!field) {
    if (request.req.httpVersionMajor >= 2) field = request.get(':authority');
    if (!field) field = request.get('Host');
  }
  if (!field) return '';
  const host = firstValue(field).trim();
  if (!host.includes('@')) return host;
  try {
    return new URL(`http://${host}`).host;
  } catch {
    return '';
  }
}

/** Is the connection encrypted? Connections of our engine are not, and need no socket object to tell. */
function isEncrypted(request: KoaRequest): boolean {
  return isPlainHttp(request.req) ? false : Boolean(request.socket.encrypted);
}

/** `https`, `http`, or what a trusted proxy says. */
export function protocolOf(request: KoaRequest): string {
  if (isEncrypted(request)) return 'https';
  if (!request.app.proxy) return 'http';
  const proto = request.get('X-Forwarded-Proto');
  return proto ? firstValue(proto).trim() : 'http';
}

export const addressMembers = {
  get host(): string {
    return hostOf(self(this));
  },
  get secure(): boolean {
    return self(this).protocol === 'https';
  },
  get ips(): string[] {
    const { app } = self(this);
    const field = self(this).get(app.proxyIpHeader);
    const ips = app.proxy && field ? field.split(',').map((value) => value.trim()) : [];
    return app.maxIpsCount > 0 ? ips.slice(-app.maxIpsCount) : ips;
  },
  get ip(): string {
    const request = self(this);
    return (request[IP] ||= request.ips[0] || request.socket.remoteAddress || '');
  },
  set ip(ip: string) {
    self(this)[IP] = ip;
  },
};

/** The subdomains of `hostname`, innermost first, unless `ip` is an address. */
export function subdomainsOf(request: KoaRequest, ip: string): string[] {
  if (isIP(ip)) return [];
  return subdomainsOfName(request.hostname, request.app.subdomainOffset);
}
