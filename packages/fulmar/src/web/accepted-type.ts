/**
 * Types as `res.format` and tools take them: a short name, or a media type with parameters. Loaded when first
 * used.
 */
import { mime } from './lazy.ts';

export interface AcceptedType {
  readonly value: string;
  quality?: number;
  readonly params: Record<string, string>;
}

/** A short name or a media type with parameters, taken apart. */
export function normalizeType(type: string): AcceptedType {
  return type.includes('/') ? acceptParams(type) : { value: mime().lookup(type) || 'application/octet-stream', params: {} };
}

function acceptParams(text: string): AcceptedType {
  const semicolon = text.indexOf(';');
  let index = semicolon === -1 ? text.length : semicolon;
  const accepted: AcceptedType = { value: text.slice(0, index).trim(), quality: 1, params: {} };
  while (index < text.length) {
    const split = text.indexOf('=', index);
    if (split === -1) break;
    const next = text.indexOf(';', index);
    const end = next === -1 ? text.length : next;
    if (split > end) {
      index = text.lastIndexOf(';', split - 1) + 1;
      continue;
    }
    const key = text.slice(index, split).trim();
    const value = text.slice(split + 1, end).trim();
    if (key === 'q') accepted.quality = Number.parseFloat(value);
    else accepted.params[key] = value;
    index = end + 1;
  }
  return accepted;
}
