/** Tokens: an account's id and a time, signed. They say who somebody is, not what they may: that is looked up with each request. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from 'fulmar/controllers';
import { Settings } from '../settings/settings.ts';

/** A token of an older kind is none. */
const KIND = 'a1';
const PART = /^[\w-]{1,200}$/;

@Injectable()
export class Tokens {
  constructor(private readonly settings: Settings) {}

  issue(id: number, now = Date.now()): string {
    const ends = Math.floor(now / 1000) + this.settings.tokenSeconds;
    const said = Buffer.from(JSON.stringify([id, ends])).toString('base64url');
    return `${KIND}.${said}.${this.#sign(said)}`;
  }

  /** The account's id, or null for what was never issued and what is too old. */
  read(token: string, now = Date.now()): number | null {
    const [kind, said = '', signature = '', ...more] = token.split('.');
    if (kind !== KIND || more.length > 0 || !PART.test(said) || !PART.test(signature)) return null;
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.#sign(said))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const [id, ends] = JSON.parse(Buffer.from(said, 'base64url').toString()) as [number, number];
    return ends * 1000 > now ? id : null;
  }

  #sign(said: string): string {
    return createHmac('sha256', this.settings.secret).update(`${KIND}.${said}`).digest('base64url');
  }
}
