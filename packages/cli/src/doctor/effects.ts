/**
 * What each effect of a handler is called, what it costs, and why. One table, for the page and for the
 * findings.
 */
import type { Cost, Effect, EffectCode } from './protocol-types.ts';

interface Meaning {
  readonly cost: (detail: string) => Cost;
  readonly text: (detail: string) => string;
  /** What follows from it, for the advice. */
  readonly why: string | ((detail: string) => string);
}

/** Events whose listeners make the engine report the end of each reply. */
const ends: ReadonlySet<string> = new Set(['finish', 'close', 'end', 'aborted', 'prefinish']);

/**
 * Members of a response that the short way goes around, unless somebody has replaced them; and what that
 * costs.
 */
const shortWayMembers: Readonly<Record<string, string>> = {
  end: 'For whoever is behind the replaced end(), bodies are copied to Buffers and entity tags computed in JavaScript',
  writeHead: 'The entity tag is computed in JavaScript, since the replaced writeHead() may look at it',
  _implicitHeader: 'The entity tag is computed in JavaScript, since the replaced method may look at it',
  setHeader: 'Every field goes through the replaced setHeader(), with all checks',
  send: 'res.json() goes through the replaced send(), and the content type is looked at again',
  json: 'The replaced json() runs for each reply',
};

const meanings: Readonly<Record<EffectCode, Meaning>> = {
  'response-member-replaced': {
    cost: (detail) => (Object.hasOwn(shortWayMembers, detail) ? 'slow' : 'some'),
    text: (detail) => `replaces res.${detail}`,
    why: (detail) => shortWayMembers[detail] ?? 'Calls go through the replaced method',
  },
  'request-member-replaced': {
    cost: () => 'some',
    text: (detail) => `replaces req.${detail}`,
    why: 'The request goes through the replaced method',
  },
  'response-prototype-changed': {
    cost: () => 'slow',
    text: () => 'changes the prototype of res',
    why: 'Replacing a prototype for each request costs more than routing: V8 drops what it has learnt about the object',
  },
  'request-prototype-changed': {
    cost: () => 'slow',
    text: () => 'changes the prototype of req',
    why: 'Replacing a prototype for each request costs more than routing: V8 drops what it has learnt about the object',
  },
  'response-listener': {
    cost: (detail) => (ends.has(detail) ? 'some' : 'little'),
    text: (detail) => `listens to res '${detail}'`,
    why: 'The engine reports the end of each reply to JavaScript',
  },
  'request-listener': {
    cost: (detail) => (ends.has(detail) || detail === 'data' || detail === 'readable' ? 'some' : 'little'),
    text: (detail) => `listens to req '${detail}'`,
    why: 'The engine reports the end of each request to JavaScript',
  },
  'request-stream': {
    cost: () => 'some',
    text: () => 'makes the stream of req',
    why: 'A stream is made for the request; the body parsers of express take content that came with the head without one',
  },
  'request-content-streamed': {
    cost: () => 'some',
    text: () => 'reads content that comes after the head',
    why: 'The content did not arrive together with the head, so it is read piece by piece',
  },
  'request-content-inline': { cost: () => 'little', text: () => 'reads content that came with the head', why: 'No stream is needed' },
  'socket-made': {
    cost: () => 'little',
    text: () => 'asks for req.socket',
    why: 'A socket object is made for the connection, for req.ip among others, and shared by all its requests',
  },
  'reply-headers-read': {
    cost: () => 'some',
    text: (detail) => `copies the reply’s headers with ${detail}()`,
    why: 'An object or array of all fields is made for each reply',
  },
  'request-headers-made': { cost: () => 'little', text: () => 'reads req.headers', why: 'The object is made once for each request' },
  'reply-streamed': {
    cost: () => 'slow',
    text: () => 'streams the reply',
    why: 'Head and content go to the engine in several calls instead of one; right for large or endless replies, slow for small ones',
  },
};

const ranks: readonly Cost[] = ['little', 'some', 'slow'];

export function costOf({ code, detail }: Effect): Cost {
  return meanings[code].cost(detail);
}

export function whyOf({ code, detail }: Effect): string {
  const { why } = meanings[code];
  return typeof why === 'string' ? why : why(detail);
}

/** The dearest of several. */
export function dearest(effects: readonly Effect[]): Cost {
  return effects.map(costOf).reduce<Cost>((most, cost) => (ranks.indexOf(cost) > ranks.indexOf(most) ? cost : most), 'little');
}

/** In words, those of one kind together: `replaces res.write, res.end`. */
export function describeEffects(effects: readonly Effect[]): string {
  const groups = new Map<EffectCode, string[]>();
  for (const { code, detail } of effects) groups.set(code, [...(groups.get(code) ?? []), detail]);
  return [...groups].map(([code, details]) => describeGroup(code, details)).join('; ');
}

function describeGroup(code: EffectCode, details: readonly string[]): string {
  const [first = '', ...others] = details;
  const text = meanings[code].text(first);
  if (others.length === 0) return text;
  if (code.endsWith('-listener')) return `${text}, ${others.map((detail) => `'${detail}'`).join(', ')}`;
  const owner = code === 'response-member-replaced' ? 'res.' : code === 'request-member-replaced' ? 'req.' : '';
  return `${text}, ${others.map((detail) => owner + detail).join(', ')}`;
}
