/** What the environment says, read once. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const SECRET_BYTES = 32;

/** Signs the cookie of sessions. Without one, sessions end with the process, as their store does. */
export const SECRET = process.env['SESSION_SECRET'] ?? randomBytes(SECRET_BYTES).toString('hex');

/** Served to browsers over https, by a proxy on this machine: cookies are `Secure`. */
export const IS_HTTPS = process.env['HTTPS'] === '1';

/** How long `/ready` says 503 before the app stops to listen, for a load balancer to notice. */
export const DRAIN_DELAY_MS = Number(process.env['DRAIN_DELAY_MS'] ?? 0);

/** A path of this folder, which is also where a built file or an executable finds what it carries. */
export const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
