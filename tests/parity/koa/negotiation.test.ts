/**
 * accepts, acceptsEncodings, acceptsCharsets, acceptsLanguages and is: what the request accepts and what it
 * carries.
 */
import type { RequestInput } from '../harness/case.ts';
import type { Ctx } from './api.ts';
import { handles, reads, withHeaders, wrong } from './kit.ts';
import { defineKoaSuite } from './suite.ts';

const each = (field: string, values: readonly string[]): readonly RequestInput[] => [
  'GET /',
  ...values.map((value) => withHeaders({ [field]: value })),
];

const ACCEPT = each('Accept', [
  'text/html',
  'application/json',
  'text/*;q=0.5, application/json;q=0.9',
  '*/*',
  'text/html;q=0, */*',
  'image/png',
  'application/vnd.api+json',
  'text/html;level=1, text/html',
  '',
  'nonsense',
  'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8',
]);
const ENCODINGS = each('Accept-Encoding', [
  'gzip',
  'gzip, deflate, br',
  'identity;q=0, gzip',
  '*;q=0',
  'gzip;q=0.1, br;q=1',
  '',
  'compress',
]);
const CHARSETS = each('Accept-Charset', ['utf-8', 'iso-8859-1;q=0.5, utf-8', '*', 'utf-8;q=0', '']);
const LANGUAGES = each('Accept-Language', ['en', 'en;q=0.8, es, fr;q=0.2', 'de-CH, de;q=0.9', '*', '', 'en-US,en;q=0.5']);

const TYPES = [
  'text/html; charset=utf-8',
  'application/json',
  'application/vnd.api+json',
  'multipart/form-data; boundary=x',
  'image/png',
  'nonsense',
  'application/x-www-form-urlencoded',
];

const post = (type: string, body = 'x'): RequestInput => ({ method: 'POST', body, headers: { 'Content-Type': type } });
const carried: readonly RequestInput[] = [
  ...TYPES.map((type) => post(type)),
  post('text/html', ''),
  { method: 'POST', body: 'x' },
  { method: 'POST' },
  withHeaders({ 'Content-Type': 'text/html' }),
  { raw: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n' },
];

defineKoaSuite([
  reads('accepts without arguments lists all, best first', (ctx) => [ctx.accepts(), ctx.request.accepts()], ACCEPT),
  reads(
    'accepts gives the best of names and types',
    (ctx) => [
      ctx.accepts('html'),
      ctx.accepts('json', 'html'),
      ctx.accepts(['html', 'json', 'text']),
      ctx.accepts('text/plain', 'application/json'),
      ctx.accepts('png', 'image/*'),
      ctx.accepts('unknown-name'),
      ctx.accepts('text/html;level=1'),
      ctx.accepts([]),
    ],
    ACCEPT,
  ),
  reads(
    'acceptsEncodings',
    (ctx) => [
      ctx.acceptsEncodings(),
      ctx.acceptsEncodings('gzip', 'deflate'),
      ctx.acceptsEncodings(['br', 'gzip']),
      ctx.acceptsEncodings('identity'),
    ],
    ENCODINGS,
  ),
  reads(
    'acceptsCharsets',
    (ctx) => [ctx.acceptsCharsets(), ctx.acceptsCharsets('utf-8', 'utf-7'), ctx.acceptsCharsets(['iso-8859-1'])],
    CHARSETS,
  ),
  reads(
    'acceptsLanguages',
    (ctx) => [ctx.acceptsLanguages(), ctx.acceptsLanguages('en', 'de'), ctx.acceptsLanguages(['es', 'fr', 'en'])],
    LANGUAGES,
  ),
  handles(
    'negotiation decides what is sent',
    (ctx) => {
      const type = ctx.accepts('json', 'html', 'text');
      if (type === 'json') ctx.body = { type };
      else if (type === 'html') ctx.body = '<p>html</p>';
      else if (type === 'text') ctx.body = 'text';
      else ctx.throw(406);
      ctx.vary('Accept');
    },
    ACCEPT,
  ),
  reads(
    'a changed Accept field is not seen once accept was used',
    (ctx: Ctx) => {
      const before = ctx.accepts('json', 'html');
      ctx.req.headers.accept = 'text/html';
      return [before, ctx.accepts('json', 'html')];
    },
    [withHeaders({ Accept: 'application/json' })],
  ),
  reads(
    'is tells what the request carries',
    (ctx) => [
      ctx.is('html'),
      ctx.is('json', 'html'),
      ctx.is(['json', 'urlencoded', 'multipart']),
      ctx.is('text/*'),
      ctx.is('+json'),
      ctx.is('application/*'),
      ctx.is('image/*', 'png'),
      ctx.is('*/*'),
      ctx.request.is('multipart/*'),
    ],
    carried,
  ),
  reads('is without arguments gives the type', (ctx) => [wrong(ctx)['is']?.(), ctx.is([]), wrong(ctx)['is']?.(undefined)], carried),
]);
