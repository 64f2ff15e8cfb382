/**
 * Pipes that change texts: trim, case, slugs, HTML. What is no text is left as it is; lists and objects are gone
 * through where it says so. None of them makes HTML safe to be shown: what shows it escapes it.
 */
import { Injectable } from '../decorators/modules.ts';
import type { PipeTransform } from '../nest-types.ts';
import { isRecord } from './rejection.ts';

/** How deep values are gone through; what lies deeper is refused by nobody and left as it is. */
const DEPTH_MAX = 32;

/** All texts of a value, in copies of what they stand in. */
function mapped(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value);
  if (!isRecord(value) || depth >= DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => mapped(one, change, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, mapped(one, change, depth + 1)]);
  return Object.fromEntries(entries);
}

/** Blanks before and behind are taken off, in lists and objects as well. */
export class TrimPipe implements PipeTransform {
  transform(value: any): any {
    return mapped(value, (text) => text.trim());
  }
}

export type LetterCase = 'lower' | 'upper' | 'title';

export class TransformCasePipe implements PipeTransform {
  readonly #change: (text: string) => string;

  /** @throws TypeError for a case that there is not */
  constructor(letterCase: LetterCase = 'lower') {
    const change = Object.hasOwn(CASES, letterCase) ? CASES[letterCase] : undefined;
    if (change === undefined)
      throw new TypeError(`TransformCasePipe takes 'lower', 'upper' or 'title', and this is ${String(letterCase)}.`);
    this.#change = change;
  }

  transform(value: any): any {
    return typeof value === 'string' ? this.#change(value) : value;
  }
}

const CASES: Readonly<Record<LetterCase, (text: string) => string>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  title: (text) => text.replaceAll(/\S+/g, ([first = '', ...rest]) => first.toUpperCase() + rest.join('').toLowerCase()),
};

/** `Crème brûlée, twice` becomes `creme-brulee-twice`. Letters of all scripts stay. */
export class SlugifyPipe implements PipeTransform {
  transform(value: any): any {
    if (typeof value !== 'string') return value;
    // Marks twice: to put a long row of them in order takes as long as the square of it.
    const plain = value
      .replaceAll(/\p{Mark}/gu, '')
      .normalize('NFKD')
      .replaceAll(/\p{Mark}/gu, '')
      .toLowerCase()
      .normalize('NFC');
    const words = plain.replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '').split(/[\s_-]+/u);
    return words.filter((word) => word !== '').join('-');
  }
}

/** Tags and comments are taken out, what stands between them stays. */
export class StripHTMLPipe implements PipeTransform {
  transform(value: any): any {
    return typeof value === 'string' ? withoutTags(value) : value;
  }
}

const TAG = /[a-z/!?]/i;

/**
 * One pass, in proportion to the text. A `<` before something else than a letter, `/`, `!` or `?` is a sign of its own, also
 * where a tag was taken out behind it; one that is not closed takes the rest, as in a browser.
 */
export function withoutTags(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    // `<<b>script>`: what stands behind the tag would begin another one.
    const isBegun = kept.at(-1) === '<' && TAG.test(text.charAt(from));
    const at = isBegun ? from - 1 : text.indexOf('<', from);
    if (at === -1) return kept.join('') + text.slice(from);
    if (isBegun) kept.pop();
    else if (at > from) kept.push(text.slice(from, at));
    if (!TAG.test(text.charAt(at + 1))) {
      kept.push('<');
      from = at + 1;
      continue;
    }
    const isComment = text.startsWith('!--', at + 1);
    const end = text.indexOf(isComment ? '-->' : '>', at + 1);
    if (end === -1) return kept.join('');
    from = end + (isComment ? '-->'.length : 1);
  }
}

for (const pipe of [TrimPipe, TransformCasePipe, SlugifyPipe, StripHTMLPipe]) Injectable()(pipe);
