/**
 * Sends one file as version 4 does (F… in docs/internals/express4.md): version 5's way with version 4's
 * libraries, its own idea of hidden files, and two options of old.
 */
import path from 'node:path';
import fresh from 'fresh4';
import parseRange, { type Ranges, type Result } from 'range-parser4';
import type { Validators } from '../../web/static/conditions.ts';
import { type NormalOptions, normalizeOptions, type SendOptions } from '../../web/static/send-options.ts';
import { SendStream } from '../../web/static/send-stream.ts';
import { type Announce, createAnnouncer } from './announcer.ts';
import { charsetOf, lookupType } from './media-types.ts';

interface SendOptions4 extends SendOptions {
  from?: unknown;
  hidden?: unknown;
}

const announceStatic = createAnnouncer();

/** The options checked and filled in. F1: dot files in the last part alone; F2: the options of old. */
export function settingsOf(options: SendOptions4, announce: Announce): NormalOptions {
  const settings = normalizeOptions(options);
  const { hidden, from } = options;
  if (hidden !== undefined) announce('hidden', `hidden: use dotfiles: '${hidden ? 'allow' : 'ignore'}' instead`);
  const dotfiles = options.dotfiles === undefined ? (hidden ? 'allow' : 'ignoreLast') : settings.dotfiles;
  if (settings.root !== null || !from) return { ...settings, dotfiles };
  announce('from', 'send.from: pass root as option');
  // oxlint-disable-next-line typescript/no-base-to-string -- what is no text prints itself
  return { ...settings, dotfiles, root: path.resolve(String(from)) };
}

export class SendStream4 extends SendStream {
  static override settingsOf(options: SendOptions4): NormalOptions {
    return settingsOf(options, announceStatic);
  }

  // F3
  override contentTypeOf(file: string): string {
    const type = lookupType(file);
    const charset = charsetOf(type);
    return charset ? `${type}; charset=${charset}` : type;
  }

  // F4: fresh 0.5, and range-parser 1.2 below.
  override isFresh({ etag, lastModified }: Validators): boolean {
    return fresh(this.req.headers, { etag, 'last-modified': lastModified });
  }

  override parseRange(length: number, header: string): Ranges | Result {
    return parseRange(length, header, { combine: true });
  }
}
