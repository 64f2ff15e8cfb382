/** Options of file sending, checked and filled in once per stream, as upstream's `send` reads them. */
import path from 'node:path';
import { parseDurationMs } from './ms.ts';

export interface SendOptions {
  acceptRanges?: boolean;
  cacheControl?: boolean;
  dotfiles?: string;
  end?: number;
  etag?: boolean;
  extensions?: unknown;
  immutable?: boolean;
  index?: unknown;
  lastModified?: boolean;
  maxAge?: string | number;
  maxage?: string | number;
  root?: string;
  start?: number;
}

export interface NormalOptions {
  readonly acceptRanges: boolean;
  readonly cacheControl: boolean;
  /** `ignoreLast`: only the last part of a path is looked at (Express 4). */
  readonly dotfiles: 'allow' | 'deny' | 'ignore' | 'ignoreLast';
  readonly etag: boolean;
  readonly extensions: readonly string[];
  readonly immutable: boolean;
  readonly index: readonly string[];
  readonly lastModified: boolean;
  readonly maxAgeMs: number;
  readonly root: string | null;
}

const MAX_AGE_MS_MAX = 365 * 24 * 60 * 60 * 1000;
const DEFAULT_INDEX: readonly string[] = ['index.html'];
const NONE: readonly string[] = [];

export function normalizeOptions(options: SendOptions): NormalOptions {
  const dotfiles = options.dotfiles === undefined ? 'ignore' : options.dotfiles;
  if (dotfiles !== 'ignore' && dotfiles !== 'allow' && dotfiles !== 'deny') {
    throw new TypeError('dotfiles option must be "allow", "deny", or "ignore"');
  }
  return {
    acceptRanges: toFlag(options.acceptRanges, true),
    cacheControl: toFlag(options.cacheControl, true),
    etag: toFlag(options.etag, true),
    dotfiles,
    extensions: options.extensions === undefined ? NONE : toList(options.extensions, 'extensions option'),
    immutable: toFlag(options.immutable, false),
    index: options.index === undefined ? DEFAULT_INDEX : toList(options.index, 'index option'),
    lastModified: toFlag(options.lastModified, true),
    maxAgeMs: toMaxAgeMs(options.maxAge || options.maxage),
    root: options.root ? path.resolve(options.root) : null,
  };
}

function toFlag(value: unknown, fallback: boolean): boolean {
  return value === undefined ? fallback : Boolean(value);
}

function toMaxAgeMs(value: string | number | undefined): number {
  const milliseconds = typeof value === 'string' ? parseDurationMs(value) : Number(value);
  if (milliseconds === undefined || Number.isNaN(milliseconds)) return 0;
  return Math.min(Math.max(0, milliseconds), MAX_AGE_MS_MAX);
}

function toList(value: unknown, name: string): readonly string[] {
  const list = ([] as unknown[]).concat(value || []);
  for (const item of list) {
    if (typeof item !== 'string') throw new TypeError(`${name} must be array of strings or false`);
  }
  return list as string[];
}
