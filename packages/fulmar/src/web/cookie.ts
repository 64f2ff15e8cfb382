/** The text of a `Set-Cookie` field. */
import { serialize } from 'cookie';
import { cookieSignature } from './lazy.ts';

export interface CookieOptions {
  /** The value is signed with the secret that is given beside it. */
  signed?: boolean;
  /** In ms. */
  maxAge?: number | null;
  expires?: Date;
  path?: string | null;
}

/** `options` are filled in. Objects are written as JSON, behind `j:`, and signed values behind `s:`. */
export function cookieText(name: string, value: unknown, options: CookieOptions, secret: string | undefined): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- what is no object prints itself
  let text = typeof value === 'object' ? `j:${JSON.stringify(value)}` : String(value);
  if (options.signed) text = `s:${cookieSignature().sign(text, secret as string)}`;
  if (options.maxAge != null) {
    const maxAgeMs = options.maxAge - 0;
    if (!Number.isNaN(maxAgeMs)) {
      options.expires = new Date(Date.now() + maxAgeMs);
      options.maxAge = Math.floor(maxAgeMs / 1000);
    }
  }
  if (options.path == null) options.path = '/';
  return serialize(name, text, options);
}
