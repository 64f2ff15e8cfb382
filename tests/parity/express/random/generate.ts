/**
 * Makes a random program from a seed: the same seed gives the same program on every machine. Never runs it.
 */
import type { StructuredRequest } from '../../harness/case.ts';
import { Random } from '../../harness/random/random.ts';
import {
  type Action,
  type ErrorHandlerModel,
  type FailureValue,
  type HandlerModel,
  type LayerModel,
  OLD_REPLY_KINDS,
  type ParamModel,
  type PathModel,
  type ProgramModel,
  REPLY_KINDS,
  type ReplyKind,
  type RouterModel,
  type Timing,
} from './model.ts';

const DEPTH_MAX = 3;
const SEGMENTS = ['a', 'b', 'A', 'foo', '1', 'x-y', 'a.b', 'é', 'user', 'v1'] as const;
// Raw non-ASCII in a request target is refused by Fulmar before any app sees it, so requests carry it
// encoded.
const SENT_SEGMENTS = [
  ...SEGMENTS.filter((segment) => segment !== 'é'),
  'a',
  'b',
  '%20',
  'a%2Fb',
  '%zz',
  '%C3%A9',
  '',
  'FOO',
  '~',
  'a;b',
  '..',
  'a+b',
  '%41',
] as const;
const NAMES = ['id', 'a', 'b', 'name', 'x1'] as const;
const METHODS = ['get', 'get', 'get', 'post', 'put', 'delete', 'head', 'options', 'all', 'patch'] as const;
const SENT_METHODS = ['GET', 'GET', 'GET', 'GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'] as const;
const EXPRESSIONS = [
  '^\\/(a|b)$',
  '\\/a',
  '^\\/(\\w+)\\/(\\d+)?',
  '^\\/(?<name>[^/]+)',
  '.*',
  '^\\/foo',
  '(?:)',
  '^\\/([ab])(\\w)?',
  'B$',
] as const;
const QUERIES = ['', '', '', '?', '?a=1', '?a=1&a=2&b', '?callback=cb', '?x[y]=1', '?a=%20%zz'] as const;

/** What programs of one version of Express are made of, where the versions differ. */
export interface Dialect {
  readonly replies: readonly ReplyKind[];
  readonly laterTimings: readonly Timing[];
  readonly failures: readonly ('next' | 'throw' | 'reject')[];
  readonly paramActions: readonly ParamModel['action'][];
  /** How often a handler goes on after it has answered. */
  readonly goesOnAfterReply: number;
  /**
   * Segments beside plain text and a parameter, chosen for about every seventh segment; `name` gives an
   * unused name.
   */
  readonly segments: readonly ((name: () => string) => string)[];
  /** What may stand at the end of a path. */
  readonly tail: (name: string) => string;
}

export const EXPRESS_5: Dialect = {
  replies: REPLY_KINDS,
  laterTimings: ['microtask', 'tick', 'immediate', 'async'],
  failures: ['next', 'throw', 'reject'],
  paramActions: ['next', 'next', 'next', 'change', 'fail', 'fail-on-a', 'route', 'reject'],
  goesOnAfterReply: 0.04,
  segments: [(name) => `:${name()}.:${name()}`, (name) => `pre-:${name()}`, (name) => `*${name()}`],
  tail: (name) => `{/:${name}}`,
};

/**
 * Without rejected promises: Express 4 leaves them alone, so that a request would never be answered. And
 * without errors after the reply: each router defers them once more before the connection is destroyed, so
 * that the next request may or may not be answered.
 */
export const EXPRESS_4: Dialect = {
  replies: [...REPLY_KINDS, ...OLD_REPLY_KINDS],
  laterTimings: ['microtask', 'tick', 'immediate'],
  failures: ['next', 'throw'],
  paramActions: ['next', 'next', 'next', 'change', 'fail', 'fail-on-a', 'route'],
  goesOnAfterReply: 0,
  segments: [
    (name) => `:${name()}.:${name()}`,
    (name) => `:${name()}-:${name()}`,
    (name) => `pre-:${name()}`,
    () => '*',
    () => 'f*',
    () => '(a|b)',
    () => '(.*)',
    () => 'fo?o',
    () => 'fo+',
    () => 'f(oo)?',
    () => '[ab]',
    (name) => `:${name()}(\\d+)`,
    (name) => `:${name()}(a|b|foo)?`,
    (name) => `:${name()}*`,
    (name) => `:${name()}+`,
    (name) => `:${name()}?`,
    (name) => `:${name()}(\\w+)-(\\w+)`,
  ],
  tail: (name) => `/:${name}?`,
};

export function generateProgram(seed: number, dialect: Dialect = EXPRESS_5): ProgramModel {
  const random = new Random(seed);
  const ids = { next: 0 };
  const app = new Generator(random, ids, dialect).router('app', 0);
  const pipelined = random.chance(0.15);
  return { app, requests: random.list(3, 7, () => request(random, pipelined)), pipelined };
}

/**
 * `pipelined`: no request announces a close, because what follows one is answered by upstream with an error
 * and by us not at all.
 */
function request(random: Random, pipelined: boolean): StructuredRequest {
  const method = random.pick(SENT_METHODS);
  const slashes = random.chance(0.05) ? '//' : '/';
  const path = `/${random.list(0, 4, () => random.pick(SENT_SEGMENTS)).join(slashes)}${random.chance(0.2) ? '/' : ''}${random.pick(QUERIES)}`;
  const headers: Record<string, string> = {};
  if (random.chance(0.2)) headers['Accept'] = random.pick(['text/html', 'application/json', 'text/plain;q=0.5, */*;q=0.1', 'image/png']);
  if (random.chance(0.1)) headers['If-None-Match'] = random.pick(['*', '"tag"', 'W/"tag"', 'W/"2-l9Fw4VUO7kr8CvBlt4zaMCqXZ0w"']);
  if (random.chance(0.1)) headers['X-Forwarded-For'] = '203.0.113.5, 10.0.0.1';
  if (random.chance(0.05) && !pipelined) headers['Connection'] = 'close';
  const target = random.chance(0.02) ? `http://parity.test${path}` : path;
  const base = { method, path: target, headers };
  if (method === 'GET' || method === 'HEAD' || random.chance(0.5)) return base;
  return { ...base, body: '{"a":1}', headers: { ...headers, 'Content-Type': 'application/json' } };
}

class Generator {
  readonly #random: Random;
  readonly #ids: { next: number };
  readonly #dialect: Dialect;

  constructor(random: Random, ids: { next: number }, dialect: Dialect) {
    this.#random = random;
    this.#ids = ids;
    this.#dialect = dialect;
  }

  router(kind: RouterModel['kind'], depth: number): RouterModel {
    const r = this.#random;
    const layers = r.list(depth === 0 ? 2 : 1, depth === 0 ? 7 : 4, () => this.#layer(depth));
    return {
      kind,
      strict: r.chance(0.25),
      caseSensitive: r.chance(0.25),
      mergeParams: r.chance(0.4),
      settings: kind === 'app' ? this.#settings() : {},
      params: r.list(0, 2, () => this.#param()),
      layers,
    };
  }

  #settings(): Record<string, string | number | boolean> {
    const r = this.#random;
    const settings: Record<string, string | number | boolean> = {};
    if (r.chance(0.2)) settings['etag'] = r.pick(['weak', 'strong', false]);
    if (r.chance(0.2)) settings['json spaces'] = 2;
    if (r.chance(0.2)) settings['query parser'] = r.pick(['extended', 'simple', false]);
    if (r.chance(0.2)) settings['trust proxy'] = r.pick([true, 1, 'loopback']);
    if (r.chance(0.1)) settings['x-powered-by'] = false;
    if (r.chance(0.3)) settings['env'] = r.pick(['production', 'test']);
    if (r.chance(0.1)) settings['json escape'] = true;
    return settings;
  }

  #layer(depth: number): LayerModel {
    const r = this.#random;
    const kind = r.int(10);
    if (kind < 2) return { type: 'use', path: this.#mountPath(), handlers: r.list(1, 2, () => this.#handler(0.8)) };
    if (kind < 7) {
      const handlers = r.list<HandlerModel | ErrorHandlerModel>(1, 3, () => (r.chance(0.1) ? this.#errorHandler() : this.#handler(0.35)));
      return { type: 'route', method: r.pick(METHODS), path: this.#path(), handlers, chained: r.chance(0.2) };
    }
    if (kind < 9 && depth < DEPTH_MAX)
      return { type: 'mount', path: this.#mountPath(), router: this.router(r.chance(0.3) ? 'app' : 'router', depth + 1) };
    return { type: 'error', path: r.chance(0.3) ? this.#mountPath() : null, handler: this.#errorHandler() };
  }

  #mountPath(): PathModel | null {
    return this.#random.chance(0.35) ? null : this.#path();
  }

  #path(): PathModel {
    const r = this.#random;
    if (r.chance(0.08)) return { re: r.pick(EXPRESSIONS), flags: r.pick(['', '', 'i']) };
    if (r.chance(0.08)) return r.list(1, 3, () => this.#textPath());
    return this.#textPath();
  }

  #textPath(): string {
    const r = this.#random;
    const used = new Set<string>();
    const name = (): string => {
      const free = NAMES.filter((one) => !used.has(one));
      const chosen = r.pick(free);
      used.add(chosen);
      return chosen;
    };
    const parts = r.list(0, 3, () => {
      if (used.size >= NAMES.length - 1) return r.pick(SEGMENTS);
      const kind = r.int(20);
      if (kind < 11) return r.pick(SEGMENTS);
      if (kind < 17) return `:${name()}`;
      return this.#segment(kind)(name);
    });
    let path = `/${parts.join('/')}`;
    if (r.chance(0.08) && used.size < NAMES.length) path = `${path === '/' ? '' : path}${this.#dialect.tail(name())}`;
    if (r.chance(0.1) && path !== '/') path += '/';
    return path === '' ? '/' : path;
  }

  /** `kind` is 17, 18 or 19: the choice among three, to which a longer list adds one of its own. */
  #segment(kind: number): (name: () => string) => string {
    const { segments } = this.#dialect;
    const chosen = segments.length > EXPRESS_5.segments.length ? this.#random.pick(segments) : segments[kind - 17];
    return chosen ?? (() => '');
  }

  #handler(passes: number): HandlerModel {
    const r = this.#random;
    return { id: this.#ids.next++, timing: this.#timing(), action: r.chance(passes) ? this.#passing() : this.#ending() };
  }

  #timing(): Timing {
    const r = this.#random;
    return r.chance(0.7) ? 'sync' : r.pick(this.#dialect.laterTimings);
  }

  #passing(): Action {
    const r = this.#random;
    const kind = r.int(20);
    if (kind < 11) return { do: 'next' };
    if (kind < 13)
      return { do: 'next-with', value: r.pick(['route', 'router', 'null', 'false', 'zero', 'empty', 'text', 'object'] as const) };
    if (kind < 15)
      return {
        do: 'field',
        name: r.pick(['X-One', 'x-two', 'Vary', 'ETag', 'Content-Type', 'Content-Language']),
        value: r.pick(['1', '"tag"', 'text/plain', 'Origin']),
      };
    if (kind === 15) return { do: 'rewrite', url: r.pick(['/a', '/b/1', '/foo?z=1', '/', '/%20', 'a', '']) };
    if (kind === 16) return { do: 'param', name: r.pick(NAMES), value: 'set' };
    if (kind === 17) return { do: 'method', method: r.pick(['GET', 'POST', 'PUT']) };
    if (kind === 18) return { do: 'locals', value: r.pick(['l1', 'l2']) };
    return { do: 'next' };
  }

  #ending(): Action {
    const r = this.#random;
    if (r.chance(0.2)) return { do: 'fail', how: r.pick(this.#dialect.failures), value: this.#failure() };
    if (r.chance(this.#dialect.goesOnAfterReply))
      return { do: 'reply-then', kind: r.pick(this.#dialect.replies), then: r.pick(['next', 'throw'] as const) };
    return {
      do: 'reply',
      kind: r.chance(0.4) ? 'echo' : r.pick(this.#dialect.replies),
      status: r.chance(0.2) ? r.pick([200, 201, 204, 205, 304, 404, 500, 299]) : null,
    };
  }

  #failure(): FailureValue {
    return this.#random.pick(['error', 'status', 'string', 'undefined', 'null', 'object', 'headers', 'type-error'] as const);
  }

  #errorHandler(): ErrorHandlerModel {
    const r = this.#random;
    return {
      id: this.#ids.next++,
      timing: this.#timing(),
      action: r.pick(['reply', 'reply', 'pass', 'pass', 'recover', 'replace', 'throw', 'route', 'router'] as const),
    };
  }

  #param(): ParamModel {
    const r = this.#random;
    return {
      name: r.pick(NAMES),
      id: this.#ids.next++,
      timing: this.#timing(),
      action: r.pick(this.#dialect.paramActions),
    };
  }
}
