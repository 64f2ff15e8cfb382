/** Content negotiation: req.accepts*, req.is, res.format and res.vary, as tables. */
import type { ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { handles, reads, serves, showError, withHeaders, wrong } from './kit.ts';

const accepts = [
  '',
  '*/*',
  'text/html',
  'text/*',
  'application/json',
  'application/json;q=0.5, text/html',
  'text/html;q=0, */*',
  'text/html;level=1, text/html;q=0.7',
  'image/*;q=0.8, text/plain;q=0.2',
  'nonsense',
  'text/html;q=x',
  'TEXT/HTML',
  'application/vnd.api+json',
  'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8',
  '*/*;q=0',
  ';q=1',
  'text/html;charset=utf-8',
];
const offered: readonly (readonly string[])[] = [
  [],
  ['html'],
  ['json', 'html'],
  ['html', 'json'],
  ['text/html', 'text/plain'],
  ['png'],
  ['text/*'],
  ['unknown-ext'],
  ['application/json; charset=utf-8'],
  ['.html'],
  ['text'],
  ['application/vnd.api+json', 'json'],
  ['text/html;level=1', 'text/html;level=2'],
];

const table: ParityCase[] = offered.map((types) =>
  reads(
    `req.accepts(${types.map((type) => JSON.stringify(type)).join(', ')}) for many Accept fields`,
    (req) => [req.accepts(...types), types.length > 0 && req.accepts(types)],
    ['GET /', ...accepts.map((Accept) => withHeaders({ Accept }))],
  ),
);

const lists: readonly (readonly [
  string,
  'acceptsEncodings' | 'acceptsCharsets' | 'acceptsLanguages',
  readonly (readonly string[])[],
  readonly string[],
])[] = [
  [
    'Accept-Encoding',
    'acceptsEncodings',
    [[], ['gzip'], ['gzip', 'deflate'], ['identity'], ['br', 'gzip'], ['GZIP']],
    ['', '*', 'gzip', 'gzip, deflate, br', 'gzip;q=0', 'identity;q=0', '*;q=0', 'deflate;q=0.5, gzip;q=1', 'br;q=0.1, *;q=0.5', 'x-gzip'],
  ],
  [
    'Accept-Charset',
    'acceptsCharsets',
    [[], ['utf-8'], ['utf-8', 'iso-8859-1'], ['UTF-8'], ['ascii']],
    ['', '*', 'utf-8', 'iso-8859-1;q=0.8, utf-8;q=0.2', 'utf-8;q=0', '*;q=0.1, utf-16'],
  ],
  [
    'Accept-Language',
    'acceptsLanguages',
    [[], ['en'], ['en-US', 'de'], ['de', 'en'], ['en-us'], ['fr-CA', 'fr']],
    ['', '*', 'en', 'en-US, en;q=0.8, de;q=0.5', 'de;q=0, *', 'fr-FR', 'zh-Hant-TW, zh;q=0.4', 'en-GB;q=0.7, en'],
  ],
];
for (const [field, method, offers, values] of lists) {
  for (const offer of offers) {
    table.push(
      reads(
        `req.${method}(${offer.map((value) => JSON.stringify(value)).join(', ')}) for many ${field} fields`,
        (req) => [req[method](...offer), offer.length > 0 && req[method](offer)],
        ['GET /', ...values.map((value) => withHeaders({ [field]: value }))],
      ),
    );
  }
}

const contentTypes = [
  'text/html',
  'text/html; charset=utf-8',
  'application/json',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'nonsense',
  'TEXT/HTML',
  'text/html;',
  'application/json;charset="utf-8"',
];
const kinds: readonly (readonly string[])[] = [
  [],
  ['html'],
  ['json'],
  ['text/*'],
  ['*/*'],
  ['html', 'json'],
  ['+json'],
  ['application/*+json'],
  ['urlencoded'],
  ['multipart'],
  ['multipart/*'],
  ['*/json'],
  ['unknown'],
  ['.json'],
  ['json', 'html', 'text'],
];
for (const kind of kinds) {
  table.push(
    reads(
      `req.is(${kind.map((value) => JSON.stringify(value)).join(', ')}) for many Content-Type fields`,
      (req) => [req.is(...kind), req.is(kind)],
      [
        'GET /',
        { method: 'POST', path: '/', body: 'x' },
        withHeaders({ 'Content-Type': 'text/html' }),
        ...contentTypes.map((type) => ({ method: 'POST', path: '/', body: 'x', headers: { 'Content-Type': type } })),
        { method: 'POST', path: '/', body: '', headers: { 'Content-Type': 'text/html' } },
        {
          method: 'POST',
          path: '/',
          headers: { 'Content-Type': 'text/html', 'Transfer-Encoding': 'chunked' },
          body: '1\r\nx\r\n0\r\n\r\n',
        },
      ],
    ),
  );
}

const answers = (keys: readonly string[]): ParityCase =>
  serves(
    `res.format with ${keys.join(', ') || 'no handlers'} chooses, sets Content-Type and Vary, or makes a 406`,
    (app, _express, ctx) => {
      app
        .get('/', (_req, res) => {
          const handlers = Object.fromEntries(
            keys.map((key) => [
              key,
              (): void => {
                ctx.record(key, res.get('Content-Type'));
                res.send(`as ${key}`);
              },
            ]),
          );
          ctx.record(res.format(handlers) === res);
        })
        .use(showError);
    },
    ['GET /', ...accepts.map((Accept) => withHeaders({ Accept }))],
  );

for (const keys of [
  ['html', 'json', 'text'],
  ['text/plain', 'text/html'],
  ['json', 'default'],
  ['default'],
  [],
  ['unknown-ext'],
  ['application/json; charset=utf-8', 'html'],
  ['text/html; level=1', 'text/html'],
  ['default', 'html'],
])
  table.push(answers(keys));

defineSuite([
  ...table,
  serves(
    'res.format hands req, res and next to its handler',
    (app, _express, ctx) => {
      app
        .use((req, res) => {
          res.format({
            html: (a, b, next) => {
              ctx.record(a === req, b === res, typeof next);
              next(new Error('passed on'));
            },
          });
        })
        .use(showError);
    },
    [withHeaders({ Accept: 'text/html' })],
  ),
  serves(
    'a 406 from res.format reaches the default page with its status',
    (app) => app.use((_req, res) => res.format({ json: (_q, s) => s.json(1) })),
    [withHeaders({ Accept: 'image/png' })],
  ),
  handles('res.format wants functions and an object', (_req, res, ctx) => {
    ctx.attempt('undefined', () => typeof wrong(res)['format']?.());
    ctx.attempt('null', () => typeof wrong(res)['format']?.(null));
    ctx.attempt('string handler', () => typeof wrong(res)['format']?.({ html: 'x' }));
    ctx.attempt('default string', () => typeof wrong(res)['format']?.({ default: 'x' }));
    res.end();
  }),
  handles('res.format keeps a Vary that is already there', (_req, res) => {
    res.vary('Origin').format({ text: (_q, s) => s.vary('Accept').send('x') });
  }),
  handles('res.vary adds once, in order, and understands lists and arrays', (_req, res, ctx) => {
    for (const field of ['Accept', 'accept', 'Origin, Cookie', ['A', 'b', 'Accept'], '*', 'after star']) {
      ctx.attempt(`vary ${String(field)}`, () => res.vary(field) === res);
      ctx.record(res.get('Vary'));
    }
    res.end();
  }),
  handles('res.vary refuses nothing and bad names', (_req, res, ctx) => {
    for (const field of [undefined, null, '', [], 7, 'bad name', 'a\r\nb', {}])
      ctx.attempt(`vary ${String(field)}`, () => wrong(res)['vary']?.(field) === res);
    ctx.record(res.getHeaders());
    res.end();
  }),
  handles('res.vary with a field set as an array', (_req, res) => {
    res.set('Vary', ['A', 'B']).vary('b').vary('C').send('x');
  }),
]);
