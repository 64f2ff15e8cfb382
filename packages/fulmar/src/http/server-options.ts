/**
 * From Node's server options and live properties to the engine's configuration. Node's own constructor has
 * validated the options; here they are translated, and what the engine cannot honour is refused. Starts
 * nothing.
 */
import { EventEmitter } from 'node:events';
import { defaultServerConfig } from '../exchange/index.ts';
import type { ServerConfig } from '../exchange/types.ts';
import { unsupportedOption } from './errors.ts';
import { nodeHttp } from './node-http.ts';
import type { ServerState } from './server-state.ts';

/** Idle connections outlive the 60 s of common load balancers. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** From the first byte of a head to its end. */
const HEADERS_TIMEOUT_MS = 15_000;
/** Field lines per head when `maxHeadersCount` is not set. */
const HEADERS_MAX = 2_000;

interface GivenOptions {
  keepAliveTimeout?: unknown;
  headersTimeout?: unknown;
  /** Ours: how long a reply may make no progress, in ms; 0 = no limit. */
  writeTimeout?: unknown;
  insecureHTTPParser?: unknown;
  httpValidation?: unknown;
  uniqueHeaders?: unknown;
}

/** A limit as Node reads it: anything that is not a positive finite number switches it off. */
const limit = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0);

/**
 * `maxHeadersCount` as Node's parser reads it: it counts names and values in 32 bits, and what is not
 * positive then is no limit.
 */
function headerCountMax(value: unknown): number {
  if (typeof value !== 'number') return HEADERS_MAX;
  const pairs = value << 1;
  return pairs > 0 ? pairs >> 1 : 0;
}

/** Throws for options that would loosen the parser. */
export function refuseLenient(options: GivenOptions): void {
  if (options.insecureHTTPParser === true) throw unsupportedOption('insecureHTTPParser', true);
  const { httpValidation } = options;
  if (httpValidation === 'relaxed' || httpValidation === 'insecure') throw unsupportedOption('httpValidation', httpValidation);
}

/** Defaults that differ from Node's on purpose. */
export function applyDefaults(server: ServerState, options: GivenOptions): void {
  if (options.keepAliveTimeout === undefined) server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  if (options.headersTimeout === undefined) server.headersTimeout = Math.min(HEADERS_TIMEOUT_MS, server.requestTimeout);
  if (options.writeTimeout !== undefined) configure(server, { writeTimeoutMs: limit(options.writeTimeout) });
}

/** Fields every response starts with, or null in the common case. */
export function replyDefaults(server: ServerState, options: GivenOptions): object | null {
  const defaults: Record<string, unknown> = {};
  if (server.rejectNonStandardBodyWrites === true) defaults['_rejectBodyWrites'] = true;
  if (Array.isArray(options.uniqueHeaders)) {
    defaults['_unique'] = new Set(options.uniqueHeaders.map((name) => String(name).toLowerCase()));
  }
  return Object.keys(defaults).length === 0 ? null : defaults;
}

/** Properties that may be set at any time, with what they mean to the engine. */
const live: Record<string, (value: unknown) => Partial<ServerConfig>> = {
  timeout: (value) => ({ socketTimeoutMs: limit(value) }),
  keepAliveTimeout: (value) => ({ keepAliveTimeoutMs: limit(value) }),
  headersTimeout: (value) => ({ headersTimeoutMs: limit(value) }),
  requestTimeout: (value) => ({ requestTimeoutMs: limit(value) }),
  maxHeadersCount: (value) => ({ headerCountMax: headerCountMax(value) }),
  maxRequestsPerSocket: (value) => ({ requestsPerConnectionMax: limit(value) }),
  requireHostHeader: (value) => ({ requireHostHeader: Boolean(value) }),
  httpAllowHalfOpen: (value) => ({ allowHalfOpen: Boolean(value) }),
};

/**
 * In Node `maxConnections = 0` refuses everybody since this version, while 0 means "no limit" to the engine.
 */
const REFUSES_ALL_SINCE = 21;
const NOBODY = -1;

/**
 * `maxConnections` as Node reads it, which compares it with the number of connections: text counts, nothing
 * and what is no number do not.
 */
function connectionsMax(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (!value && Number.parseInt(process.versions.node, 10) < REFUSES_ALL_SINCE) return 0;
  const most = Math.ceil(Number(value));
  return most <= 0 ? NOBODY : limit(most);
}
live['maxConnections'] = (value) => ({ connectionsMax: connectionsMax(value) });

/**
 * What `server.on(…)` means to the engine: it reports only what somebody listens to. Monitoring agents
 * replace `emit`, on the server or on the class, and listen to everything that way.
 */
export function listenerConfig(server: ServerState): Partial<ServerConfig> {
  const isWatched = server.emit !== EventEmitter.prototype.emit;
  return {
    // Node's own handler for sockets that are emitted by hand is always there.
    reportConnections: isWatched || server.listenerCount('connection') > 1,
    reportRejects: isWatched || server.listenerCount('clientError') > 0,
    acceptUpgrade: server.listenerCount('upgrade') > 0 || Object.hasOwn(server, '_customUpgrade') || server._makers?.takesUpgrade != null,
    acceptConnect: server.listenerCount('connect') > 0,
  };
}

/** The configuration a new server starts with; live properties have filled `_config` already. */
export function initialConfig(): ServerConfig {
  return { ...defaultServerConfig };
}

/** What only the constructor decides. */
export function fixedConfig(server: ServerState): Partial<ServerConfig> {
  return {
    headBytesMax: server.maxHeaderSize === undefined || server.maxHeaderSize === 0 ? nodeHttp.maxHeaderSize : server.maxHeaderSize,
    noDelay: server.noDelay,
    keepAliveProbes: server.keepAlive,
    keepAliveInitialDelayMs: server.keepAliveInitialDelay * 1000,
  };
}

/**
 * Accessors for the live properties: a plain value for the reader, a change of configuration for the engine.
 */
export function defineLiveMembers(members: object): object {
  for (const [key, translate] of Object.entries(live)) {
    const slot = Symbol(key);
    Object.defineProperty(members, key, {
      get(this: Record<symbol, unknown>): unknown {
        return this[slot];
      },
      set(this: Record<symbol, unknown> & ServerState, value: unknown): void {
        this[slot] = value;
        configure(this, translate(value));
      },
      enumerable: true,
      configurable: true,
    });
  }
  return members;
}

/** Applies a change now and keeps it for the next `listen()`. */
export function configure(server: ServerState, change: Partial<ServerConfig>): void {
  server._config ??= initialConfig();
  Object.assign(server._config, change);
  server._listener?.configure(change);
}
