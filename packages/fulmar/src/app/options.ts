/**
 * The options of an app: what they are, what they are without, and what is wrong with them.
 */
import type { Exchange } from '../exchange/types.ts';
import type { ErrorFormat, Logger } from './errors.ts';

export interface AppOptions {
  /** A slash at a path's end makes another path of it. Default: true, as in Hono and Fastify. */
  readonly strict?: boolean;
  /** The longest content that is read as a whole, in bytes. Beyond: 413. Default: 1 MiB. */
  readonly bodyLimit?: number;
  /** What an error's reply looks like. Default: `problem` (RFC 9457). */
  readonly errors?: ErrorFormat;
  /** Proxies whose `X-Forwarded-For` is believed, counted from this side. Default: 0. */
  readonly trustProxy?: number;
  /** The status of a request that does not fit the schemas of its route. Default: 422. */
  readonly invalidInput?: 400 | 422;
  /** How long the set-up of a plugin may take, in milliseconds; 0: any time. Default: 10 seconds. */
  readonly pluginTimeout?: number;
  /** Takes what no client is to see. Default: `console`. */
  readonly logger?: Logger;
}

export interface Settings {
  readonly strict: boolean;
  readonly bodyBytesMax: number;
  readonly format: ErrorFormat;
  readonly invalidInput: 400 | 422;
  readonly pluginTimeoutMs: number;
  readonly logger: Logger;
  readonly clientAddress: (exchange: Exchange) => string;
}

const BODY_BYTES_MAX = 1024 * 1024;
/** As in Fastify. */
const PLUGIN_TIMEOUT_MS = 10_000;
/** What a timer can wait for. */
const TIMEOUT_MS_MAX = 2_147_483_647;

const KNOWN: Readonly<Record<keyof AppOptions, (value: unknown) => string | undefined>> = {
  strict: (value) => expected(typeof value === 'boolean', 'true or false'),
  bodyLimit: (value) => expected(Number.isSafeInteger(value) && (value as number) >= 0, 'a number of bytes'),
  errors: (value) => expected(value === 'problem' || value === 'simple', "'problem' or 'simple'"),
  trustProxy: (value) => expected(Number.isSafeInteger(value) && (value as number) >= 0, 'the number of proxies in front'),
  invalidInput: (value) => expected(value === 400 || value === 422, '400 or 422'),
  pluginTimeout: (value) =>
    expected(
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= TIMEOUT_MS_MAX,
      `a number of milliseconds, at most ${TIMEOUT_MS_MAX}`,
    ),
  logger: (value) => expected(typeof (value as Logger | undefined)?.error === 'function', 'an object with error(…)'),
};

const expected = (isRight: boolean, what: string): string | undefined => (isRight ? undefined : what);

/** @throws TypeError for an option that is none, or is something else than it may be */
export function toSettings(options: AppOptions): Settings {
  for (const [name, value] of Object.entries(options)) {
    const check = (KNOWN as Readonly<Record<string, ((given: unknown) => string | undefined) | undefined>>)[name];
    if (check === undefined) throw new TypeError(`createApp() has no option ${name}; it has ${Object.keys(KNOWN).join(', ')}.`);
    const wanted = value === undefined ? undefined : check(value);
    if (wanted !== undefined) throw new TypeError(`${name} is ${wanted}, and this is ${JSON.stringify(value) ?? typeof value}.`);
  }
  return {
    strict: options.strict ?? true,
    bodyBytesMax: options.bodyLimit ?? BODY_BYTES_MAX,
    format: options.errors ?? 'problem',
    invalidInput: options.invalidInput ?? 422,
    pluginTimeoutMs: options.pluginTimeout ?? PLUGIN_TIMEOUT_MS,
    logger: options.logger ?? console,
    clientAddress: addressBehind(options.trustProxy ?? 0),
  };
}

/**
 * The address that the nearest `proxies` name, each the one before it; a shorter list is believed to its
 * begin.
 */
function addressBehind(proxies: number): (exchange: Exchange) => string {
  return (exchange) => {
    const socket = exchange.connection.remote?.address ?? '';
    if (proxies === 0) return socket;
    const named = (exchange.header('x-forwarded-for') ?? '').split(',').map((address) => address.trim());
    const addresses = [...named.filter((address) => address !== ''), socket];
    return addresses[Math.max(0, addresses.length - 1 - proxies)] as string;
  };
}
