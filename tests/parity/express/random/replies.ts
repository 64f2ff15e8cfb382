/** The ways a random program answers. Each is one ordinary use of the response; none depends on the side. */
import type { Req, Res } from '../../harness/express-api.ts';
import { wrong } from '../kit.ts';
import type { ReplyKind } from './model.ts';

const replies: Record<ReplyKind, (req: Req, res: Res) => unknown> = {
  echo: (req, res) =>
    res.json({ method: req.method, url: req.url, originalUrl: req.originalUrl, baseUrl: req.baseUrl, params: req.params, path: req.path }),
  text: (_req, res) => res.type('text').send('plain ü'),
  html: (_req, res) => res.send('<p>html</p>'),
  empty: (_req, res) => res.send(''),
  buffer: (_req, res) => res.send(Buffer.from([0, 255, 10])),
  json: (_req, res) => res.json({ a: '<1>', b: [null] }),
  array: (_req, res) => res.send([1, 'two']),
  null: (_req, res) => res.send(null),
  number: (_req, res) => res.send(7),
  true: (_req, res) => res.send(true),
  undefined: (_req, res) => res.send(undefined),
  jsonp: (_req, res) => res.jsonp({ a: 1 }),
  sendStatus: (_req, res) => res.sendStatus(202),
  end: (_req, res) => res.end('ended'),
  write: (_req, res) => {
    res.write('first,');
    res.end('last');
  },
  redirect: (_req, res) => res.redirect(301, '/to?<a>=é'),
  format: (_req, res) => res.format({ text: (_q, s) => s.send('t'), json: (_q, s) => s.json('j'), html: (_q, s) => s.send('h') }),
  cookie: (_req, res) => res.cookie('c', { v: 1 }, { httpOnly: true }).clearCookie('old').send('cookie'),
  attachment: (_req, res) => res.attachment('ü.json').send('{}'),
  type: (_req, res) => res.type('png').send('not a picture'),
  etag: (_req, res) => res.set('ETag', '"tag"').send('tagged'),
  query: (req, res) => res.json(req.query),
  accepts: (req, res) => res.json([req.accepts('html', 'json'), req.acceptsEncodings(), req.is('json'), req.fresh, req.xhr]),
  links: (_req, res) => res.links({ next: '/n' }).append('Link', '<x>').vary('Accept').json(1),
  long: (_req, res) => res.send('long '.repeat(3000)),
  location: (_req, res) => res.location('/a b').sendStatus(201),
  request: (req, res) => res.json([req.ip, req.ips, req.protocol, req.hostname, req.subdomains, req.get('x-forwarded-for')]),
  locals: (_req, res) => res.json(res.locals),
  'send-status': (_req, res) => wrong(res)['send']?.(202),
  'status-send': (_req, res) => wrong(res)['send']?.(203, { old: 'form' }),
  'send-last': (_req, res) => wrong(res)['send']?.('old form', 404),
  'json-status': (_req, res) => wrong(res)['json']?.(201, [1]),
  'json-last': (_req, res) => wrong(res)['jsonp']?.({ a: 1 }, 202),
  back: (_req, res) => res.redirect('back'),
  param: (req, res) => res.json([wrong(req)['param']?.('a'), wrong(req)['param']?.('id', 'none')]),
  'old-accepts': (req, res) => res.json([wrong(req)['acceptsEncoding']?.(), wrong(req)['acceptsLanguage']?.('en')]),
  host: (req, res) => res.json([req.host, req.hostname, Object.hasOwn(req, 'query')]),
};

export function reply(kind: ReplyKind, req: Req, res: Res): unknown {
  return replies[kind](req, res);
}
