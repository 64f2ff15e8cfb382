// Sends one file as version 4 does (F… in docs/internals/express4.md): version 5's way with version 4's libraries, its own
// idea of hidden files, and two options of old.
import path from 'node:path';
import depd from 'depd';
import fresh from 'fresh4';
import parseRange, { type Ranges, type Result } from 'range-parser4';
import type { Validators } from '../static/conditions.ts';
import { type NormalOptions, normalizeOptions, type SendOptions } from '../static/send-options.ts';
import { SendStream } from '../static/send-stream.ts';
import { charsetOf, lookupType } from './media-types.ts';

interface SendOptions4 extends SendOptions {
  from?: unknown;
  hidden?: unknown;
}

const deprecate = depd('send');

export class SendStream4 extends SendStream {
  static override settingsOf(options: SendOptions4): NormalOptions {
    const settings = normalizeOptions(options);
    return { ...settings, dotfiles: dotfilesOf(options, settings), root: settings.root ?? fromOf(options) };
  }

  override contentTypeOf(file: string): string {
    const type = lookupType(file);
    const charset = charsetOf(type);
    return charset ? `${type}; charset=${charset}` : type;
  }

  override isFresh({ etag, lastModified }: Validators): boolean {
    return fresh(this.req.headers, { etag, 'last-modified': lastModified });
  }

  override parseRange(length: number, header: string): Ranges | Result {
    return parseRange(length, header, { combine: true });
  }
}

function dotfilesOf(options: SendOptions4, { dotfiles }: NormalOptions): NormalOptions['dotfiles'] {
  const { hidden } = options;
  if (hidden !== undefined) deprecate(`hidden: use dotfiles: '${hidden ? 'allow' : 'ignore'}' instead`);
  if (options.dotfiles !== undefined) return dotfiles;
  return hidden ? 'allow' : 'ignoreLast';
}

function fromOf({ from }: SendOptions4): string | null {
  if (!from) return null;
  deprecate('send.from: pass root as option');
  // oxlint-disable-next-line typescript/no-base-to-string -- what is no text prints itself
  return path.resolve(String(from));
}
