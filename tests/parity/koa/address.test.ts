/**
 * Where a request came from and was sent to: host, hostname, protocol, ip, ips, subdomains, with and without
 * a trusted proxy.
 */
import type { RequestInput } from '../harness/case.ts';
import type { AppOptions, Ctx } from './api.ts';
import { handles, reads, withHeaders } from './kit.ts';
import { defineKoaSuite } from './suite.ts';

const HOSTS: readonly string[] = [
  'example.test',
  'example.test:8080',
  'EXAMPLE.Test',
  'a.b.c.example.test',
  '127.0.0.1',
  '127.0.0.1:3000',
  '[::1]',
  '[::1]:3000',
  '[2001:DB8::1]:80',
  '[invalid]',
  '[::1',
  '[::1/evil]',
  '[::1?x]',
  'user@example.test',
  'user:pass@example.test:81',
  '@',
  'a@b@c',
  'a, b',
  ' spaced.test ',
  'example.test/path',
  'x:y:z',
  'xn--bcher-kva.test',
  '::1',
];

/**
 * Malformed hosts are refused before any app sees them, so each comes in another field and is put in place by
 * the program.
 */
const hosts: readonly RequestInput[] = [...HOSTS.map((host) => withHeaders({ 'X-Host': host })), { noHost: true, version: '1.0' }];

const withHost =
  (read: (ctx: Ctx) => unknown) =>
  (ctx: Ctx): unknown => {
    const given = ctx.get('X-Host');
    if (given !== '') ctx.req.headers.host = given;
    return read(ctx);
  };

const FORWARDED: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'X-Forwarded-Host': 'forwarded.test' },
  { 'X-Forwarded-Host': 'first.test, second.test' },
  { 'X-Forwarded-Host': '' },
  { 'X-Forwarded-Host': ',second.test' },
  { 'X-Forwarded-Host': 'user@forwarded.test' },
  { 'X-Forwarded-Proto': 'https' },
  { 'X-Forwarded-Proto': 'HTTPS, http' },
  { 'X-Forwarded-Proto': ' https ,http' },
  { 'X-Forwarded-Proto': '' },
  { 'X-Forwarded-Proto': 'gopher' },
  { 'X-Forwarded-For': '203.0.113.1' },
  { 'X-Forwarded-For': '203.0.113.1, 10.0.0.1,  10.0.0.2' },
  { 'X-Forwarded-For': ',' },
  { 'X-Forwarded-For': '' },
  { 'X-Forwarded-For': 'not an address' },
  { 'X-Real-IP': '198.51.100.7' },
  { 'X-Real-IP': '198.51.100.7, 198.51.100.8' },
];

const forwarded = FORWARDED.map((headers) => withHeaders(headers));

const address = (ctx: Ctx): unknown => ({
  host: ctx.host,
  hostname: ctx.hostname,
  protocol: ctx.protocol,
  secure: ctx.secure,
  ip: ctx.ip,
  ips: ctx.ips,
  href: ctx.href,
  subdomains: ctx.subdomains,
});

const PROXIES: readonly (readonly [string, AppOptions])[] = [
  ['without proxy', {}],
  ['with proxy', { proxy: true }],
  ['with proxy and maxIpsCount 1', { proxy: true, maxIpsCount: 1 }],
  ['with proxy and maxIpsCount 2', { proxy: true, maxIpsCount: 2 }],
  ['with proxy and a proxyIpHeader', { proxy: true, proxyIpHeader: 'X-Real-IP' }],
  ['with a proxyIpHeader but no proxy', { proxyIpHeader: 'X-Real-IP', maxIpsCount: 1 }],
  ['with a proxyIpHeader in other case', { proxy: true, proxyIpHeader: 'x-forwarded-FOR' }],
];

defineKoaSuite([
  reads(
    'host is the Host field',
    withHost((ctx) => [ctx.host, ctx.request.host]),
    hosts,
  ),
  reads(
    'hostname is the host without port',
    withHost((ctx) => [ctx.hostname, ctx.request.hostname]),
    hosts,
  ),
  reads(
    'href and URL are made of the host',
    withHost((ctx) => [ctx.href, ctx.URL.href]),
    hosts,
  ),
  reads(
    'subdomains leave out the last two parts',
    withHost((ctx) => [ctx.subdomains, ctx.request.subdomains]),
    hosts,
  ),
  ...[1, 3, 9].map((subdomainOffset) =>
    reads(
      `subdomains with the offset ${subdomainOffset}`,
      withHost((ctx) => ctx.subdomains),
      hosts.slice(0, 9),
      { app: { subdomainOffset } },
    ),
  ),
  ...PROXIES.map(([label, app]) => reads(`addresses ${label}`, address, forwarded, { app })),
  reads('ip is kept once read and can be assigned', (ctx) => {
    const first = ctx.ip;
    ctx.request.ip = '192.0.2.1';
    const second = ctx.ip;
    ctx.ip = '192.0.2.2';
    return [first, second, ctx.ip, ctx.request.ip];
  }),
  reads(
    'ip that was read before the proxy was trusted stays',
    (ctx) => {
      const first = ctx.ip;
      ctx.app.proxy = true;
      const second = [ctx.ip, ctx.ips];
      ctx.app.proxy = false;
      return [first, second];
    },
    [withHeaders({ 'X-Forwarded-For': '203.0.113.1' })],
  ),
  reads('an empty ip is read again', (ctx) => {
    ctx.ip = '';
    return ctx.ip;
  }),
  reads('ips is a new list each time', (ctx) => [ctx.ips === ctx.ips, ctx.ips], [withHeaders({ 'X-Forwarded-For': 'a, b' })], {
    app: { proxy: true },
  }),
  reads(
    'an encrypted socket makes the protocol https',
    (ctx) => {
      const { socket } = ctx;
      Reflect.set(socket, 'encrypted', true);
      const found = [ctx.protocol, ctx.secure, ctx.href];
      Reflect.deleteProperty(socket, 'encrypted');
      return [...found, ctx.protocol, ctx.secure];
    },
    ['GET /', withHeaders({ 'X-Forwarded-Proto': 'http' })],
    { app: { proxy: true } },
  ),
  handles(
    'settings of the app are read at each access',
    (ctx, t) => {
      const { app } = ctx;
      t.record(ctx.protocol, ctx.host, ctx.subdomains);
      Object.assign(app, { proxy: true, subdomainOffset: 1 });
      t.record(ctx.protocol, ctx.host, ctx.subdomains);
      Object.assign(app, { proxy: false, subdomainOffset: 2 });
      ctx.body = 'ok';
    },
    [withHeaders({ Host: 'a.b.c.test', 'X-Forwarded-Host': 'x.y.z.test', 'X-Forwarded-Proto': 'https' })],
  ),
]);
