/**
 * `SanitizePipe`: what came without what has no business in plain texts: control characters, tags, scripts with what
 * stands in them, `javascript:`; of objects keys that reach prototypes. It changes texts, and makes none of them safe to be
 * shown as HTML: what shows it escapes it.
 */
import { Injectable } from '../decorators/modules.ts';
import type { PipeTransform } from '../nest-types.ts';
import { BadRequestException } from '../exceptions/family.ts';
import { isRecord } from './rejection.ts';
import { withoutTags } from './texts.ts';
import { stripProtoKeys } from './untrusted.ts';

/** What lies deeper would pass unseen, and is refused. */
const DEPTH_MAX = 100;

export class SanitizePipe implements PipeTransform {
  /** A copy, but for what is neither a text, a list nor a plain object. @throws BadRequestException where it is too deep */
  transform(value: any): any {
    const clean = cleaned(value, 0);
    if (clean !== value) stripProtoKeys(clean);
    return clean;
  }
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return sanitized(value);
  if (!isRecord(value)) return value;
  if (depth > DEPTH_MAX) throw new BadRequestException(`Validation failed (values of up to ${DEPTH_MAX} levels are expected)`);
  if (Array.isArray(value)) return value.map((one: unknown) => cleaned(one, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cleaned(one, depth + 1)]));
}

/** All but tab and line ends, and what turns the direction of a text around. */
// oxlint-disable-next-line no-control-regex -- they are what is meant
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Schemes last: taken out, they leave nothing that begins a tag. */
function sanitized(text: string): string {
  return withoutSchemes(withoutTags(withoutElements(text.replaceAll(CONTROLS, ''))));
}

const ELEMENT = /<(?=(script|style)\b)/gi;

/** Scripts and styles with their content; one that is not closed takes the rest. In proportion to the text. */
function withoutElements(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { index, 1: name = '' } of text.matchAll(ELEMENT)) {
    if (index < from) continue;
    kept.push(text.slice(from, index));
    const end = name.toLowerCase() === 'script' ? /<\/script/gi : /<\/style/gi;
    end.lastIndex = index;
    const close = end.test(text) ? text.indexOf('>', end.lastIndex) : -1;
    if (close === -1) return kept.join('');
    from = close + 1;
  }
  return kept.join('') + text.slice(from);
}

const SCHEMES: readonly string[] = ['javascript', 'vbscript'];

/**
 * Also those that come about where one was taken out, `javajavascript:script:`, and with tabs and line ends, which
 * browsers take out of addresses. In proportion to the text.
 */
function withoutSchemes(text: string): string {
  if (!text.includes(':')) return text;
  const kept: string[] = [];
  /** Where in it what counts stands. */
  const places: number[] = [];
  for (const unit of text.split('')) {
    if (unit === ':') {
      const scheme = SCHEMES.find((name) => endsWith(kept, places, name));
      if (scheme !== undefined) {
        const [begin = 0] = places.splice(-scheme.length);
        kept.length = begin;
        continue;
      }
    }
    if (unit !== '\t' && unit !== '\n' && unit !== '\r') places.push(kept.length);
    kept.push(unit);
  }
  return kept.join('');
}

function endsWith(units: readonly string[], places: readonly number[], name: string): boolean {
  const from = places.length - name.length;
  if (from < 0) return false;
  for (let at = 0; at < name.length; at += 1) if (units[places[from + at] as number]?.toLowerCase() !== name[at]) return false;
  return true;
}

Injectable()(SanitizePipe);
