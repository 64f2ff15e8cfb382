/**
 * Texts of a template literal type, matched in time by their length times that of the template: a client
 * chooses the text, and a regular expression of several wildcards would take a power of it. Never recurses by the text.
 */
import type { Shape, TemplateShape } from '../shape.ts';

type Parts = TemplateShape['parts'];
/** Where in a text a match may stand: a 1 for each place. */
type Places = Uint8Array;
/** From the places where a part may begin to those where it may end. */
type Step = (text: string, from: Places) => Places;

/** @throws TypeError for a shape that cannot stand in a template */
export function templateTest(parts: Parts): (text: string) => boolean {
  if (parts.every((part) => typeof part === 'string' || isWildcard(part))) return wildcardTest(parts);
  const step = sequence(parts);
  return (text) => {
    const from = new Uint8Array(text.length + 1);
    from[0] = 1;
    return step(text, from)[text.length] === 1;
  };
}

const isWildcard = ({ kind }: Shape): boolean => kind === 'string' || kind === 'any';

/** Texts and wildcards alone: each text is taken where it is found first, which is as good as any later place. */
function wildcardTest(parts: Parts): (text: string) => boolean {
  const texts = [''];
  for (const part of parts) {
    if (typeof part === 'string') texts.push(`${texts.pop()}${part}`);
    else texts.push('');
  }
  const [start = '', ...others] = texts;
  const end = others.pop();
  if (end === undefined) return (text) => text === start;
  return (text) => {
    if (!text.startsWith(start) || !text.endsWith(end)) return false;
    const until = text.length - end.length;
    let at = start.length;
    for (const other of others) {
      const found = text.indexOf(other, at);
      if (found < 0) return false;
      at = found + other.length;
    }
    return at <= until;
  };
}

function sequence(parts: Parts): Step {
  const steps = parts.map((part) => (typeof part === 'string' ? literal(part) : stepOf(part)));
  return (text, from) => steps.reduce((places, step) => step(text, places), from);
}

function stepOf(shape: Shape): Step {
  switch (shape.kind) {
    case 'string':
    case 'any':
      return fromFirst;
    case 'number':
      return machine(NUMBER, NUMBER_ENDS);
    case 'bigint':
      return machine(BIGINT, BIGINT_ENDS);
    case 'boolean':
      return either([literal('true'), literal('false')]);
    case 'null':
    case 'undefined':
      return literal(shape.kind);
    case 'literal':
      return literal(String(shape.value));
    case 'enum':
      return either(shape.values.map((value) => literal(String(value))));
    case 'union':
      return either(shape.members.map(stepOf));
    case 'template':
      return sequence(shape.parts);
    default:
      throw notOfTemplates(shape);
  }
}

const notOfTemplates = ({ kind }: Shape): TypeError =>
  new TypeError(`A template holds texts, numbers, bigints, booleans and literals, and this is a shape of kind ${kind}.`);

const fromFirst: Step = (_text, from) => {
  const first = from.indexOf(1);
  return first < 0 ? from : from.slice().fill(1, first);
};

function literal(sought: string): Step {
  return (text, from) => {
    const to = new Uint8Array(from.length);
    for (let at = from.indexOf(1); at >= 0; at = from.indexOf(1, at + 1)) if (text.startsWith(sought, at)) to[at + sought.length] = 1;
    return to;
  };
}

function either(steps: readonly Step[]): Step {
  return (text, from) => {
    const to = new Uint8Array(from.length);
    for (const step of steps) for (const [at, is] of step(text, from).entries()) if (is === 1) to[at] = 1;
    return to;
  };
}

/** A row for each state: the next one by 0, 1 to 9, `-`, `+`, `.` and `e`, or none. */
type Machine = readonly (readonly (number | null)[])[];
const SIGNS = '-+.';

/** TypeScript takes other spellings too (`0x10`, blanks around): those of JavaScript's own texts of numbers, and zeros before. */
const NUMBER: Machine = [
  [2, 2, 1, null, 4, null],
  [2, 2, null, null, 4, null],
  [2, 2, null, null, 3, 5],
  [3, 3, null, null, null, 5],
  [3, 3, null, null, null, null],
  [7, 7, 6, 6, null, null],
  [7, 7, null, null, null, null],
  [7, 7, null, null, null, null],
];
const NUMBER_ENDS = [2, 3, 7];

const BIGINT: Machine = [[3, 2, 1], [3, 2], [2, 2], []];
const BIGINT_ENDS = [2, 3];

function classOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit === 0x30 ? 0 : 1;
  if ((unit | 0x20) === 0x65) return 5;
  const sign = SIGNS.indexOf(String.fromCharCode(unit));
  return sign < 0 ? -1 : sign + 2;
}

/** Of all places at once: a bit for each state. */
function machine(rows: Machine, ends: readonly number[]): Step {
  const endBits = ends.reduce((bits, state) => bits | (1 << state), 0);
  return (text, from) => {
    const to = new Uint8Array(from.length);
    let states = 0;
    for (let at = 0; at < from.length; at += 1) {
      if ((states & endBits) !== 0) to[at] = 1;
      if (from[at] === 1) states |= 1;
      if (states === 0 || at === text.length) continue;
      const kind = classOf(text.charCodeAt(at));
      let next = 0;
      for (const [state, row] of rows.entries()) {
        const target = (states & (1 << state)) === 0 ? null : (row[kind] ?? null);
        if (target !== null) next |= 1 << target;
      }
      states = next;
    }
    return to;
  };
}
