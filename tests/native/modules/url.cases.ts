import url from 'node:url';
import { cases } from '../harness/cases.ts';

const samples = [
  'http://user:pass@host.com:8080/p/a/t/h?query=string#hash',
  '//host/path',
  '/path?x=1#y',
  'mailto:a@b.c',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'HTTP://EXAMPLE.com',
  'http://a b.com/x y',
  'http://[::1]:80/a',
  'x:y',
  '',
  '  http://trim.me  ',
  'http://a.com\\b?c\\d',
  'http://español.com/',
  'http://a.com/\'"<>`{}|^',
  '?only',
  '#only',
  'http://a@b@c/',
  'http://a.com:80:90/',
  'a/b/../c',
];
const bases = ['http://a.com/b/c/d;p?q', 'http://a.com', '/one/two', 'mailto:x@y.z', 'file:///a/b'];
const links = [
  'g',
  './g',
  'g/',
  '/g',
  '//g',
  '?y',
  '#s',
  '../g',
  '../../../g',
  '.',
  '..',
  '',
  'http://x.y/z',
  'https:',
  'g;x=1/../y',
  'a@b.c',
];

/** A parsed URL's fields, or what was thrown. */
function parsed(text: string, ...rest: [boolean?, boolean?]): unknown {
  try {
    const { query, ...fields } = url.parse(text, ...(rest as [true, true]));
    return { ...fields, query: typeof query === 'object' && query !== null ? { ...query } : query };
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    return [name, code, message];
  }
}

export default cases(
  'url',
  {
    parse: [
      () => samples.map((text) => parsed(text)),
      () => samples.map((text) => parsed(text, true)),
      () => samples.map((text) => parsed(text, false, true)),
      () => url.parse(5 as never),
    ],
    resolve: [() => bases.map((base) => links.map((link) => url.resolve(base, link)))],
    resolveObject: [
      () => (url as unknown as { resolveObject(from: string, to: string): url.Url }).resolveObject('http://a.com/b', '../c?d#e').href,
    ],
    format: [
      () => url.format({ protocol: 'http', hostname: '::1', port: 80, pathname: 'x', query: { a: [1, 2] } as never, hash: 'h' }),
      () => url.format({ auth: 'a b:c', host: 'x.y', pathname: '/p?q#r', search: 's#t', slashes: true }),
      () => url.format('http://a b/'),
      () => {
        const address = new URL('http://u:p@測試.com:81/a?b#c');
        return [url.format(address), url.format(address, { auth: false, fragment: false, search: false, unicode: true })];
      },
      () => url.format(5 as never),
      () => url.format(new URL('http://a'), 5 as never),
    ],
    Url: [() => Object.keys(new (url as unknown as { Url: new () => object }).Url())],
    URL: [() => url.URL === URL],
    URLSearchParams: [() => url.URLSearchParams === URLSearchParams],
    URLPattern: [
      () => new (url as unknown as { URLPattern: new (pattern: object) => object }).URLPattern({ pathname: '/a' }).constructor.name,
    ],
    fileURLToPath: [
      () => [url.fileURLToPath('file:///a/b%20c'), url.fileURLToPath(new URL('file:///q'))],
      () => url.fileURLToPath('file:///a%2fb'),
      () => url.fileURLToPath('http://x'),
      () => url.fileURLToPath('file://host/a'),
      () => url.fileURLToPath('x'),
      () => url.fileURLToPath(5 as never),
    ],
    fileURLToPathBuffer: [() => (url as unknown as { fileURLToPathBuffer(text: string): Buffer }).fileURLToPathBuffer('file:///a%20%ff')],
    'paths of Windows': [
      () => [url.fileURLToPath('file:///C:/a/b', { windows: true }), url.fileURLToPath('file://srv/share/f', { windows: true })],
      () => url.fileURLToPath('file:///a/b', { windows: true }),
      () => [url.pathToFileURL('C:\\x y\\', { windows: true }).href, url.pathToFileURL('\\\\srv\\share\\f', { windows: true }).href],
    ],
    pathToFileURL: [
      () => ['/a b', '/a%b#?', '/é\n\t', '/x/', '/a\\b'].map((path) => url.pathToFileURL(path).href),
      () => url.pathToFileURL(5 as never),
    ],
    domainToASCII: [
      () => ['español.com', '中文.com', 'xn--iñvalid.com', 'EXAMPLE.com', ''].map((domain) => url.domainToASCII(domain)),
      () => (url.domainToASCII as () => string)(),
    ],
    domainToUnicode: [
      () => ['xn--espaol-zwa.com', 'xn--fiq228c.com', 'a.b'].map((domain) => url.domainToUnicode(domain)),
      () => (url.domainToUnicode as () => string)(),
    ],
    urlToHttpOptions: [
      () => ({ ...url.urlToHttpOptions(new URL('http://u:p%20@[::1]:8080/a?b=c#d')) }),
      () => url.urlToHttpOptions(5 as never),
    ],
  },
  {
    missing: { URLPattern: 'a package: urlpattern-polyfill' },
    since: {
      URLPattern: 24,
      fileURLToPath: 24,
      fileURLToPathBuffer: 24,
      'paths of Windows': 24,
      parse: 26,
      format: 24,
      urlToHttpOptions: 24,
    },
  },
);
