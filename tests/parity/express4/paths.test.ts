/**
 * Path patterns of path-to-regexp 0.1: text, parameters, `*`, `?`, `+`, groups, expressions and lists of
 * them.
 */
import type { ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { builds, onError, serves } from '../express/kit.ts';
import { failed, layerShape, notFound, type Router4, v4, where } from './kit.ts';

const PATTERNS: readonly (readonly [pattern: unknown, targets: string])[] = [
  ['/', '/ /a //'],
  ['', '/ /a'],
  ['*', '/ /a /a/b'],
  ['/*', '/ /a /a/b //a'],
  ['/a*', '/a /ab /a/b /b'],
  ['/a/*', '/a /a/ /a/b /a/b/c'],
  ['/*/b', '/a/b //b /a/c/b /b'],
  ['/a/*/b/*', '/a/x/b/y /a//b/ /a/x/y/b /a/b'],
  ['*.txt', '/a.txt /a/b.txt /atxt'],
  ['/:id', '/a /a/ /A /a%20b /%zz / /a/b /a.b'],
  ['/:id?', '/ /a /a/ /a/b'],
  ['/:id*', '/a /a/b /a/b/c /'],
  ['/:id+', '/a /aa /a+ /a/b'],
  ['/:id(\\d+)', '/1 /a /12a /12/'],
  ['/:id(\\d+)?', '/ /1 /a'],
  ['/:id([a-f]+|x)', '/abc /x /xy /z'],
  ['/:id([^/]*)', '/ /a /a/b'],
  ['/:id(*)', '/ /a /a/b'],
  ['/:id(.*)', '/ /a /a/b'],
  ['/:a/:b', '/x/y /x /x/ /x/y/z /x//y'],
  ['/:a/:b?', '/x/y /x /x/'],
  ['/:a?/:b?', '/ /x /x/y'],
  ['/:a-:b', '/x-y /x-y-z /x /-y /x-'],
  ['/:a.:b', '/x.y /x.y.z /x'],
  ['/:a.:b?', '/x.y /x /x.y.z'],
  ['/:a.json', '/x.json /x.y.json /x'],
  ['/:file.:ext(json|xml)', '/x.json /x.xml /x.html'],
  ['/user/:id/edit', '/user/1/edit /user/1 /user//edit /USER/1/EDIT'],
  ['/user/:id/:op?', '/user/1 /user/1/ /user/1/x'],
  ['/ab?cd', '/acd /abcd /abbcd'],
  ['/ab+cd', '/abcd /abbbcd /acd'],
  ['/ab*cd', '/abcd /abXcd /ab/cd /acd'],
  ['/a(bc)?d', '/ad /abcd /abd'],
  ['/a(bc)+d', '/abcd /abcbcd /ad'],
  ['/(a|b)', '/a /b /c'],
  ['/x(a|b)', '/xa /xb /xc'],
  ['/(?:a|b)/c', '/a/c /b/c /c'],
  ['/(\\d+)', '/1 /a'],
  ['/a/(.*)', '/a/ /a/b /a/b/c'],
  ['(.*)', '/ /a/b'],
  ['/(.*)/(.*)', '/a/b /a/b/c /a'],
  ['/(apple-)?icon-:res(\\d+).png', '/icon-240.png /apple-icon-240.png /icon-x.png'],
  ['/commits/:from-:to.:format?', '/commits/a-b /commits/a-b.json /commits/a'],
  ['/:a(\\d+)-:b(\\w+)', '/1-x /1-x-y /x-1'],
  ['/:a(\\d+)/(\\w+)', '/1/x /x/1'],
  ['/(\\w+)/:a', '/x/1 /x'],
  ['/:name(a(b)?c)', '/ac /abc /abbc'],
  ['/:id(\\d{2,3})', '/1 /12 /123 /1234'],
  ['/caf\u00e9', '/caf%C3%A9 /cafe'],
  ['/a b', '/a%20b /a'],
  ['/a%20b', '/a%20b /A%20B'],
  ['/a.b', '/a.b /axb'],
  ['/a$b', '/a$b /a'],
  ['/a^b', '/a /ab'],
  ['/a|b', '/a /b /ab'],
  ['/[abc]', '/a /b /[abc]'],
  ['/[a-c]+', '/a /abc /d'],
  ['/a{2}', '/a /aa /aaa'],
  ['/\\:id', '/:id /x'],
  ['/a\\*b', '/a*b /axb'],
  ['/a\\.b', '/a.b /axb'],
  ['/a\\(b\\)', '/a(b) /ab'],
  ['/a/', '/a /a/ /a//'],
  ['/a//b', '/a/b /a//b'],
  ['//a', '/a //a'],
  ['a', '/a a'],
  [':id', '/a /'],
  ['/:id_x', '/a /a_x'],
  ['/:1', '/a'],
  ['/:', '/: /a'],
  ['/:a:b', '/xy /x'],
  ['/:a/:a', '/x/y /x/x'],
  ['/:__proto__', '/x'],
  ['/:constructor', '/x'],
  ['/:hasOwnProperty', '/x'],
  ['/:length/:0', '/x/y'],
  ['/{a}', '/{a} /a'],
  ['/a{/:b}', '/a /a/x /a{/x}'],
  ['/*splat', '/x /xsplat /a/bsplat'],
  ['/@:user', '/@bob /bob'],
  ['/~:user', '/~bob /bob'],
  ['/:a,:b', '/x,y /x'],
  ['/:a&:b', '/x&y /x'],
  ['/!:a', '/!x /x'],
  ['/:lat(-?\\d+\\.\\d+),:lng(-?\\d+\\.\\d+)', '/1.5,-2.5 /1,2'],
  ['/:id.', '/x. /x'],
  ['/.:id', '/.x /x'],
  ['/a?', '/ /a /aa'],
  ['/?', '/ /a'],
  ['/?a', '/a a /'],
  ['/a/?', '/a /a/ /a//'],
  ['/a/:b/?', '/a/x /a/x/'],
  ['/((a)|(b))', '/a /b'],
  ['/(?<named>a+)', '/aaa /b'],
  ['/:id(?=x)', '/x'],
  ['/(?!api)*', '/api /other'],
  [/^\/re$/, '/re /re/ /RE'],
  [/re/, '/re /are /x/re/y'],
  [/^\/(\d+)-(\w+)?$/, '/1-a /1- /x'],
  [/^\/(?<year>\d{4})\/(?<month>\d\d)$/, '/2024/05 /24/5'],
  [/^\/(?<a>x)(y)?$/, '/x /xy'],
  [/^\/case$/i, '/case /CASE'],
  [/^\/(?:a|(b))$/, '/a /b'],
  [/\/a\(b\)/, '/a(b) /ab'],
  [/^\/a/g, '/a /a/b'],
  [/^\/sticky/y, '/sticky /x'],
  [/.*/, '/ /a'],
  [/^/, '/ /a'],
  [/a$/, '/a /ba /ab'],
  [/^\/(a(b(c)))$/, '/abc /ab'],
  [['/a', '/b'], '/a /b /c /a/'],
  [['/a/:x', '/b/:y', '/c'], '/a/1 /b/2 /c /d'],
  [['/:a', '/:b/:c'], '/1 /1/2'],
  [['/a', /^\/b(\d)$/], '/a /b1 /b'],
  [[/^\/x/, /^\/y/i], '/x /Y /z'],
  [['/a', ['/b']], '/a /b'],
  [[], '/ /a'],
  [['/(a)', '/(b)/:c'], '/a /b/1'],
];

const VARIANTS = ['plain', 'strict', 'case', 'merge'] as const;
const label = (pattern: unknown): string =>
  Array.isArray(pattern) ? `[${pattern.map(label).join(', ')}]` : pattern instanceof RegExp ? String(pattern) : JSON.stringify(pattern);

/** Each pattern as a route and as a mount, in routers of every kind; one prefix for each. */
function patternCase(pattern: unknown, targets: string): ParityCase {
  return serves(
    `the pattern ${label(pattern)} matches and names what upstream's does, as route and as mount`,
    (app, express, ctx) => {
      for (const variant of VARIANTS) {
        for (const kind of ['get', 'use'] as const) {
          const router = express.Router({
            strict: variant === 'strict',
            caseSensitive: variant === 'case',
            mergeParams: variant === 'merge',
          });
          ctx.attempt(`${variant} ${kind}`, () => void v4(router)[kind](pattern, where));
          ctx.record((router as unknown as Router4).stack.map(layerShape));
          app.use(`/${variant}-${kind}${variant === 'merge' ? '/:outer' : ''}`, router);
        }
      }
      app.use(notFound).use(onError(failed));
    },
    targets
      .split(' ')
      .flatMap((target) =>
        VARIANTS.flatMap((variant) => ['get', 'use'].map((kind) => `GET /${variant}-${kind}${variant === 'merge' ? '/o' : ''}${target}`)),
      ),
  );
}

const table: ParityCase[] = PATTERNS.map(([pattern, targets]) => patternCase(pattern, targets));

for (const pattern of [
  undefined,
  null,
  7,
  true,
  {},
  Symbol('s'),
  ['/a', 7],
  [null],
  '/:id(',
  '/(',
  '/)',
  '/[',
  '/*?',
  '/+',
  '/:a(*)(*)',
  '/a**',
  '/\\',
  new Date(0),
  Object('/boxed'),
]) {
  const name = Array.isArray(pattern) ? JSON.stringify(pattern) : String(pattern);
  table.push(
    builds(`the pattern ${typeof pattern} ${name} is taken or refused with upstream's message`, (express, ctx) => {
      for (const kind of ['get', 'all', 'use', 'route', 'del'] as const) {
        const app = express();
        ctx.attempt(`app.${kind}`, () => typeof v4(app)[kind](pattern, where));
        ctx.record(v4(app)._router?.stack.slice(2).map(layerShape));
        ctx.attempt(`router.${kind}`, () => typeof v4(express.Router())[kind]?.(pattern, where));
      }
    }),
  );
}

for (const [strict, sensitive] of [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
]) {
  table.push(
    serves(
      `the settings strict routing ${strict} and case sensitive routing ${sensitive} hold for routes, params and mounts`,
      (app, express) => {
        app.set('strict routing', strict).set('case sensitive routing', sensitive);
        app
          .get('/Foo', where)
          .get('/bar/', where)
          .get('/:a/x', where)
          .use('/Mount', where)
          .use('/slash/', where)
          .use('/router', express.Router().get('/Inner/', where).get('/', where));
        app.use(notFound);
      },
      ['/Foo', '/foo', '/Foo/', '/bar', '/bar/', '/BAR/', '/1/x', '/1/X', '/1/x/', '/Mount', '/mount/a', '/slash', '/slash/', '/SLASH/x']
        .concat(['/router', '/router/', '/ROUTER', '/router/inner', '/router/Inner/', '/router/INNER/'])
        .map((path) => `GET ${path}`),
    ),
  );
}

defineSuite(
  [
    ...table,
    serves(
      'settings of routing that change after the first route have no effect',
      (app) => app.get('/Before', where).set('strict routing', true).set('case sensitive routing', true).get('/After', where).use(notFound),
      ['GET /before/', 'GET /after/', 'GET /After'],
    ),
    serves('a mount ends at a slash or at a dot', (app) => app.use('/a', where).use(notFound), [
      'GET /a',
      'GET /a/b',
      'GET /a.b',
      'GET /a.b/c',
      'GET /ab',
      'GET /a-b',
      'GET /a%2Fb',
      'GET /a;b',
      'GET /a?b',
    ]),
    serves('a mount expression that matches in the middle is passed over', (app) => app.use(/b/, where).use(/^\/c/, where).use(notFound), [
      'GET /b',
      'GET /a/b',
      'GET /c',
      'GET /cd',
      'GET /c/d',
      'GET /c.d',
    ]),
    serves('an expression with the global flag keeps its place between requests', (app) => app.get(/^\/g/g, where).use(notFound), [
      'GET /g',
      'GET /g',
      'GET /g',
      'GET /gg',
    ]),
    serves(
      'parameters are decoded once, and a malformed one is an error of status 400',
      (app) => app.get('/p/:a/:b?', where).use('/m/:x', where).get('/w/*', where).use(notFound).use(onError(failed)),
      ['/p/%41/%2F', '/p/a%2520', '/p/%', '/p/%E0%A4', '/p/x/%zz', '/m/%zz/a', '/m/a%2Fb/c', '/w/%zz', '/w/a%2Fb', '/w/%C3%BC'].map(
        (path) => `GET ${path}`,
      ),
    ),
    serves(
      'a malformed parameter on the route of another method is an error as well',
      (app) => app.post('/:a', where).get('/%zz', where).use(notFound).use(onError(failed)),
      ['GET /%zz', 'POST /%zz', 'GET /ok', 'HEAD /%zz', 'OPTIONS /%zz'],
    ),
    serves(
      'an optional parameter that is absent is an own property without a value',
      (app, _express, ctx) => {
        app.get('/o/:a/:b?', (req, res) => {
          ctx.record(Object.keys(req.params), req.params, Object.getPrototypeOf(req.params) === Object.prototype);
          res.end();
        });
      },
      ['GET /o/1', 'GET /o/1/2'],
    ),
    serves(
      'mergeParams joins numbered and named parameters as upstream does',
      (app, express) => {
        const router = express.Router({ mergeParams: true });
        router
          .get('/:a', where)
          .get('/x/*', where)
          .get(/^\/(\d)-(\d)$/, where)
          .get('/:p/:p2', where);
        app
          .use('/n/:a', router)
          .use(/^\/(r)\/(s)/, router)
          .use('/w/*/z', router)
          .use(notFound);
      },
      ['/n/1/2', '/n/1/x/y/z', '/n/1/3-4', '/n/1/8/9', '/r/s/1-2', '/r/s/x/y', '/r/s/q', '/w/k/z/1-2', '/w/k/z/x/l'].map(
        (path) => `GET ${path}`,
      ),
    ),
    serves(
      'parameters of the parent are back when the router is left',
      (app, express, ctx) => {
        app
          .use('/:a', (req, _res, next) => {
            ctx.record('before', req.params);
            next();
          })
          .use(
            '/:b',
            express.Router().use('/:c', (req, _res, next) => {
              ctx.record('inside', req.params);
              next();
            }),
            (req, _res, next) => {
              ctx.record('after', req.params);
              next();
            },
          )
          .get('*', where);
      },
      ['GET /x/y'],
    ),
  ],
  'express4',
);
