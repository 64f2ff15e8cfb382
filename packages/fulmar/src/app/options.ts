/**
 * The options of an app: what they are, what they are without, and what is wrong with them.
 */
import { toTrust, type TrustProxy } from './asker.ts';
import type { ErrorFormat, Logger } from './errors.ts';
import { isMs, TIMER_MS_MAX, suggestion } from './checked-options.ts';
import { isVersioning, type Versioning, whatVersioningIs } from './versioning.ts';
import { isViews, type RenderView, toRender, type Views, whatViewsAre } from './views.ts';
import type { TrustFunction } from '../web/trust.ts';

export interface AppOptions {
  /** A slash at a path's end makes another path of it. Default: true, as in Hono and Fastify. */
  readonly strict?: boolean;
  /** The longest content that is read as a whole, in bytes. Beyond: 413. Default: 1 MiB. */
  readonly bodyLimit?: number;
  /** What an error's reply looks like. Default: `problem` (RFC 9457). */
  readonly errors?: ErrorFormat;
  /**
   * Proxies whose `X-Forwarded-…` is believed, as Express takes them: how many from this side, their addresses and
   * subnets (`'loopback, 10.0.0.0/8'`), a function `(address, hop)`, true for all. Default: none.
   */
  readonly trustProxy?: TrustProxy;
  /** What `c.render()` makes pages with. */
  readonly views?: Views;
  /** The status of a request that does not fit the schemas of its route. Default: 422. */
  readonly invalidInput?: 400 | 422;
  /** How a request tells the version of a route that it wants. Default: routes have none. */
  readonly versioning?: Versioning;
  /** How long the set-up of a plugin may take, in milliseconds; 0: any time. Default: 10 seconds. */
  readonly pluginTimeoutMs?: number;
  /** Takes what no client is to see. Default: `console`. */
  readonly logger?: Logger;
}

export interface Settings {
  readonly strict: boolean;
  readonly bodyBytesMax: number;
  readonly format: ErrorFormat;
  readonly invalidInput: 400 | 422;
  readonly versioning: Versioning | null;
  readonly pluginTimeoutMs: number;
  readonly logger: Logger;
  readonly trust: TrustFunction | null;
  readonly render: RenderView | null;
  /** What was given, for an app within which another is put. */
  readonly given: AppOptions;
}

const BODY_BYTES_MAX = 1024 * 1024;
/** As in Fastify. */
const PLUGIN_TIMEOUT_MS = 10_000;

const KNOWN: Readonly<Record<keyof AppOptions, (value: unknown) => string | undefined>> = {
  strict: (value) => expected(typeof value === 'boolean', 'true or false'),
  bodyLimit: (value) => expected(Number.isSafeInteger(value) && (value as number) >= 0, 'a number of bytes'),
  errors: (value) => expected(value === 'problem' || value === 'simple', "'problem' or 'simple'"),
  trustProxy: whyNoTrust,
  views: (value) => expected(isViews(value), whatViewsAre),
  invalidInput: (value) => expected(value === 400 || value === 422, '400 or 422'),
  versioning: (value) => expected(isVersioning(value), whatVersioningIs),
  pluginTimeoutMs: (value) => expected(isMs(0, value), `a number of milliseconds, at most ${TIMER_MS_MAX}`),
  logger: (value) => expected(typeof (value as Logger | undefined)?.error === 'function', 'an object with error(…)'),
};

const expected = (isRight: boolean, what: string): string | undefined => (isRight ? undefined : what);

/** @throws TypeError for an option that is none, or is something else than it may be */
export function toSettings(options: AppOptions): Settings {
  for (const [name, value] of Object.entries(options)) {
    const check = (KNOWN as Readonly<Record<string, ((given: unknown) => string | undefined) | undefined>>)[name];
    if (check === undefined) throw new TypeError(`createApp() has no option ${name}${suggestion(name, Object.keys(KNOWN))}.`);
    const wanted = value === undefined ? undefined : check(value);
    if (wanted !== undefined) throw new TypeError(`${name} is ${wanted}, and this is ${JSON.stringify(value) ?? typeof value}.`);
  }
  return {
    strict: options.strict ?? true,
    bodyBytesMax: options.bodyLimit ?? BODY_BYTES_MAX,
    format: options.errors ?? 'problem',
    invalidInput: options.invalidInput ?? 422,
    versioning: options.versioning ?? null,
    pluginTimeoutMs: options.pluginTimeoutMs ?? PLUGIN_TIMEOUT_MS,
    logger: options.logger ?? console,
    trust: toTrust(options.trustProxy ?? false),
    render: toRender(options.views),
    given: { ...options },
  };
}

/**
 * An app within another answers with the options of that one. @throws TypeError where it was given others, which would
 * say nothing
 */
export function checkWithin(inner: Settings, outer: Settings): void {
  for (const [name, value] of Object.entries(inner.given)) {
    if (value === undefined || isSame(value, outer.given[name as keyof AppOptions])) continue;
    throw new TypeError(
      `The app that is put into this one was made with ${name}: within another app the options of that one hold. Give ${name} to the outer app, or leave it out.`,
    );
  }
}

/** The same value, or data that says the same. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one !== 'function' && JSON.stringify(one) === JSON.stringify(other) && !hasFunctions(one));

const hasFunctions = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).some((one) => typeof one === 'function');

function whyNoTrust(value: unknown): string | undefined {
  const what = 'true, the number of proxies in front, their addresses or subnets, or a function (address, hop)';
  if (typeof value === 'boolean' || typeof value === 'function') return undefined;
  if (typeof value === 'number') return expected(Number.isSafeInteger(value) && value >= 0, what);
  const list = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(list) || list.length === 0 || !list.every((one) => typeof one === 'string' && one.trim() !== '')) return what;
  try {
    toTrust(value as TrustProxy);
    return undefined;
  } catch {
    return what;
  }
}
