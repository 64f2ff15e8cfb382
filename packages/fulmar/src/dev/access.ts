/**
 * Who may see what `fulmar dev` shows, and who may have it do something. Sources and requests are for the developer:
 * another machine, a name that somebody else has pointed here (DNS rebinding) and other sites' scripts are refused.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Exchange, ListenTarget } from '../exchange/types.ts';
import { readGlobal } from '../host/globals.ts';

const TOKEN_BYTES = 24;
const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const LOCAL_NAME = /^(?:localhost|[a-z0-9-]{1,63}\.localhost|127\.0\.0\.1|\[::1\])$/;
const ALL_ADDRESSES: ReadonlySet<string | undefined> = new Set(['0.0.0.0', '::', undefined]);

/** Name of the field that pages of ours send the token in. */
const TOKEN_FIELD = 'x-fulmar-token';

export interface AccessOptions {
  readonly remote?: boolean | undefined;
  readonly hosts?: readonly string[] | undefined;
}

export class Access {
  /** Stands in pages of ours, which no other site can read. */
  readonly token = randomBytes(TOKEN_BYTES).toString('hex');
  readonly #remote: boolean;
  readonly #hosts: ReadonlySet<string>;

  constructor({ remote = false, hosts = [] }: AccessOptions) {
    this.#remote = remote;
    this.#hosts = new Set(hosts.map((host) => host.toLowerCase()));
  }

  /** Why nothing of ours is shown; null: it is. */
  refusal(exchange: Exchange, target: ListenTarget): string | null {
    const { remote, local } = exchange.connection;
    const isHere = remote === null || LOOPBACK.test(remote.address) || remote.address === local?.address;
    if (!isHere && !this.#remote) return 'fulmar dev shows this on the machine that it runs on.';
    if (isReadByOthers(exchange)) return 'fulmar dev shows this to no script of another site.';
    const name = hostName(exchange.header('host'));
    if (name !== null && (LOCAL_NAME.test(name) || this.#hosts.has(name) || isListenedOn(name, target))) return null;
    return 'fulmar dev shows this under localhost and the host that the server listens on.';
  }

  /** Why a request that does something is refused: it is no script's of a page of ours. */
  refusalToAct(exchange: Exchange): string | null {
    if (!isOwnOrigin(exchange)) return 'This is for pages of fulmar dev.';
    const given = Buffer.from(exchange.header(TOKEN_FIELD) ?? '');
    const own = Buffer.from(this.token);
    return given.length === own.length && timingSafeEqual(given, own) ? null : 'The page is older than the server: load it again.';
  }
}

function isOwnOrigin(exchange: Exchange): boolean {
  const origin = exchange.header('origin');
  const host = exchange.header('host');
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/**
 * An application may let scripts of all sites read its replies, errors among them. Where a browser goes to a page of this
 * server, as a form of another site sends it, no script reads it.
 */
const isReadByOthers = (exchange: Exchange): boolean =>
  exchange.header('origin') !== undefined && !isOwnOrigin(exchange) && exchange.header('sec-fetch-mode') !== 'navigate';

/** Without the port, in lower case; null for what is none. */
function hostName(host: string | undefined): string | null {
  const found = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i.exec(host ?? '');
  return found?.[1]?.toLowerCase() ?? null;
}

function isListenedOn(name: string, { host }: ListenTarget): boolean {
  if (ALL_ADDRESSES.has(host)) return false;
  if (name === host || name === `[${host}]`) return true;
  // The name that the address was found for.
  return readGlobal('fulmar.listen-hosts')?.has(name) === true;
}
