/**
 * Makes a random program of middleware from a seed: the same seed gives the same program on every machine.
 * Never runs it.
 */
import { Random } from '../harness/random/random.ts';
import type { StructuredRequest } from '../harness/case.ts';
import { actsOf, isOfMessage } from './catalogue.ts';
import { type Act, type Framework, FRAMEWORKS, type Layer, type Next, type ProgramModel, type Step, type When } from './model.ts';
import { REPLIES_EXPRESS, REPLIES_KOA } from './replies.ts';

const PATHS = ['/', '/', '/a', '/a?x=1&x=2', '/sub', '/sub/a?y=%20', '/hello.txt', '/page.html', '/sub/', '/data.json'] as const;
const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE'] as const;
const NEXT: readonly Next[] = ['sync', 'sync', 'sync', 'sync', 'microtask', 'tick', 'immediate', 'timer'];
const WHEN: readonly When[] = ['now', 'now', 'now', 'now', 'now', 'tick', 'immediate', 'finish', 'close'];
const CONTENTS: readonly (readonly [string, string])[] = [
  ['application/json', '{"a":1}'],
  ['application/json', '[1,{"b":"ü"}]'],
  ['application/json', '{broken'],
  ['application/json; charset=utf-8', '{}'],
  ['application/x-www-form-urlencoded', 'a=1&b=x+y'],
  ['text/plain', 'some text'],
  ['application/octet-stream', 'bytes'],
];
const DEPTH_MAX = 2;

export function generateProgram(seed: number, only?: Framework): ProgramModel {
  const random = new Random(seed);
  const framework = only ?? random.pick(FRAMEWORKS);
  const generator = new Generator(random, framework);
  return settled({
    framework,
    compose: random.chance(0.5) ? '4.1.0' : '4.2.0',
    layers: generator.layers(0),
    requests: random.list(1, 3, () => request(random)),
  });
}

/** How far a file has come when something else goes on is chance, and a small one is not piped. */
function settled(program: ProgramModel): ProgramModel {
  const text = JSON.stringify(program);
  if (!/"(static|file)"/.test(text)) return program;
  const calm = text
    .replaceAll(/"when":"(immediate|tick)"/g, '"when":"now"')
    .replaceAll(/"res\.(write|on|once)"/g, '"res.setHeader"')
    .replaceAll('"do":"wrap-header","name":"write"', '"do":"look"')
    .replaceAll('"res.pipe"', '"res.error"');
  return JSON.parse(calm) as ProgramModel;
}

function request(random: Random): StructuredRequest {
  const method = random.pick(METHODS);
  const headers: Record<string, string> = {};
  if (random.chance(0.15)) headers['If-None-Match'] = random.pick(['*', '"tag"']);
  if (random.chance(0.1)) headers['X-Forwarded-For'] = '203.0.113.5, 10.0.0.1';
  if (random.chance(0.1)) headers['X-Forwarded-Proto'] = 'https';
  if (random.chance(0.1)) headers['Accept'] = random.pick(['text/html', 'application/json']);
  if (random.chance(0.1)) headers['Cookie'] = 'a=1; b=2';
  const base = { method, path: random.pick(PATHS), headers };
  if (method !== 'POST' && method !== 'PUT') return base;
  const [type, body] = random.pick(CONTENTS);
  return { ...base, body, headers: { ...headers, 'Content-Type': type } };
}

/** Node's own function adds a listener for the end. */
const isListening = ({ do: what }: Act): boolean => /^borrow-.*on$/.test(what);

/** Behind a middleware's `next()` the content may be taken, and the head written though not sent. */
const isForAfter = ({ act }: Step): boolean =>
  act.do !== 'status' && act.do !== 'reason' && !isListening(act) && act.name?.startsWith('req.') !== true;

/**
 * What a request's end comes before or after is nobody's promise, and listeners that come late hear of it or
 * not.
 */
function isLate({ do: what, name = '' }: Act, when: When): boolean {
  if (what === 'status' || what === 'reason' || isListening({ do: what })) return true;
  if ((when === 'finish' || when === 'close') && !isOfMessage(what)) return true;
  return (
    /^re[qs]\.(finish|prefinish|close|end|data)$/.test(name) &&
    (when === 'finish' || when === 'close' || when === 'immediate' || name.startsWith('req.'))
  );
}

class Generator {
  readonly #random: Random;
  readonly #framework: Framework;
  readonly #acts: readonly (() => Act)[];
  #id = 0;

  constructor(random: Random, framework: Framework) {
    this.#random = random;
    this.#framework = framework;
    this.#acts = actsOf(framework, random);
  }

  layers(depth: number): Layer[] {
    const r = this.#random;
    const list = r.list(depth === 0 ? 2 : 1, depth === 0 ? 6 : 3, () => this.#layer(depth));
    if (depth === 0 || r.chance(0.5)) list.push(this.#reply(depth === 0 ? null : r.pick([null, '/a'])));
    return list;
  }

  #layer(depth: number): Layer {
    const r = this.#random;
    const kind = r.int(12);
    if (kind < 7) return this.#middleware();
    if (kind < 9) return { type: 'parser', parser: r.pick(['json', 'json', 'text', 'urlencoded', 'raw'] as const) };
    if (kind === 9) return { type: 'static' };
    if (kind === 10 && depth < DEPTH_MAX)
      return { type: 'router', path: r.pick(['/', '/sub', '/a']), isApp: r.chance(0.5), layers: this.layers(depth + 1) };
    return this.#reply(r.pick(['/a', '/sub', '/late']));
  }

  #middleware(): Layer {
    const r = this.#random;
    return {
      type: 'middleware',
      id: this.#id++,
      steps: r.list(1, 3, () => this.#step()),
      next: r.pick(NEXT),
      // What has taken the content by then has taken its end along.
      after: r.chance(0.3) ? [this.#step()].filter(isForAfter).map(({ act }) => ({ act, when: 'now' })) : [],
    };
  }

  #step(): Step {
    const act = this.#random.pick(this.#acts)();
    const when = this.#random.pick(WHEN);
    return { act, when: isLate(act, when) ? 'now' : when };
  }

  #reply(path: string | null): Layer {
    const kinds = this.#framework.startsWith('koa') ? REPLIES_KOA : REPLIES_EXPRESS;
    return { type: 'reply', id: this.#id++, path, reply: this.#random.pick(kinds) };
  }
}
