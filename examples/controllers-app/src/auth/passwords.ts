/** Passwords as scrypt hashes. A hash says by which cost it was made, so that the cost can grow. */
import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { Injectable } from 'fulmar/controllers';

/** OWASP's recommendation of 2^17 takes 128 MB each; this takes 16 MB, for a machine of any size. */
const COST = { N: 16_384, r: 8, p: 5 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  // The same letters, however they were composed on a keyboard.
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) =>
    scrypt(text, salt, KEY_BYTES, cost, (error, key) => (error === null ? resolve(key) : reject(error))),
  );
}

@Injectable()
export class Passwords {
  /** Of nobody: an unknown address takes as long as a wrong password. */
  readonly #nobody = this.seal(randomBytes(KEY_BYTES).toString('hex'));

  async seal(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const key = await derive(password, salt, COST);
    return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
  }

  /** `null`: there is no such account, and the answer takes its time all the same. */
  async fits(password: string, sealed: string | null): Promise<boolean> {
    const [, N, r, p, salt = '', key = ''] = (sealed ?? (await this.#nobody)).split('$');
    const found = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
    return timingSafeEqual(found, Buffer.from(key, 'base64url')) && sealed !== null;
  }
}
