/** How deep the JSON of a text is nested, told before it is parsed. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}`: alike but for this bit. */
const IS_BRACE = 0x20;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** Is it JSON of more than so many levels? */
export function isNestedDeeper(text: string, levels: number): boolean {
  // Each level is a bracket at its begin and one at its end.
  if (text.length <= levels * 2 || !hasBrackets(text, levels)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if ((unit & ~IS_BRACE) === OPEN) {
      depth += 1;
      if (depth > levels) return true;
    } else if ((unit & ~IS_BRACE) === CLOSE) depth -= 1;
  }
  return false;
}

/** Whether there are more than so many that begin something, wherever they stand: most content has a handful. */
function hasBrackets(text: string, count: number): boolean {
  let found = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      found += 1;
      if (found > count) return true;
    }
  }
  return false;
}

/** Where its quote is; -1: nowhere. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return -1;
}
