/**
 * What is said of a file in the reply that carries it, and which part of it a request asks for. Pure; shared
 * by replies of messages and of exchanges.
 */
import type { Stats } from 'node:fs';
import type { Ranges, Result } from 'range-parser';
import type { NormalOptions } from './send-options.ts';

export interface FileRange {
  readonly start: number;
  readonly end: number;
}

/** A field of the request that asks for bytes. */
export const BYTES_RANGE = /^ *bytes=/;

/** Fields in their order, each with its value: those that stand in the reply already are left as they are. */
export function eachFileField(settings: NormalOptions, stat: Stats, field: (name: string, value: () => string) => void): void {
  if (settings.acceptRanges) field('Accept-Ranges', () => 'bytes');
  if (settings.cacheControl) field('Cache-Control', () => cacheControlOf(settings));
  if (settings.lastModified) field('Last-Modified', () => stat.mtime.toUTCString());
  if (settings.etag) field('ETag', () => `W/"${stat.size.toString(16)}-${stat.mtime.getTime().toString(16)}"`);
}

function cacheControlOf({ maxAgeMs, immutable }: NormalOptions): string {
  const maxAge = `public, max-age=${Math.floor(maxAgeMs / 1000)}`;
  return immutable ? `${maxAge}, immutable` : maxAge;
}

/**
 * The one range to send; `null` when none of the file is asked for. Several ranges, or a malformed one, are
 * answered with the whole file: `undefined`.
 */
export function theRange(ranges: Ranges | Result): FileRange | undefined | null {
  if (ranges === -1) return null;
  if (typeof ranges === 'number' || ranges.length !== 1) return undefined;
  return ranges[0] as FileRange;
}
