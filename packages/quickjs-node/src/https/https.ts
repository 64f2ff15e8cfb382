/**
 * `node:https`: `node:http` over `node:tls`.
 */
import http from 'node:http';
import type * as NodeHttps from 'node:https';
import type { RequestOptions } from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { lateAgent } from '../http/client-classes.ts';
import { define } from '../shared/define.ts';
import { connectionListener, initServer as initHttp, serverArguments, serverMembers, storeOptions } from '../http/server.ts';
import type { HttpServerState } from '../http/server.ts';
import { initServer as initTls } from '../tls/server.ts';
import type { TlsServerState } from '../tls/server.ts';

type Options = Record<string, unknown>;
type Call = (this: unknown, ...args: unknown[]) => unknown;

function Server(this: HttpServerState & TlsServerState, given?: unknown, handler?: unknown): unknown {
  if (!(this instanceof (Server as unknown as new () => object)))
    return new ServerClass(given as NodeHttps.ServerOptions, handler as never);
  const { options, listener } = serverArguments(given, handler);
  storeOptions(this, options);
  initTls(this, { noDelay: true, ALPNProtocols: ['http/1.1'], ...options, allowHalfOpen: true });
  this.on('secureConnection', connectionListener as never);
  initHttp(this, options, listener);
  this.on('tlsClientError', ((error: Error, socket: { destroy(error: Error): void }) => {
    if (!this.emit('clientError', error, socket)) socket.destroy(error);
  }) as never);
  return undefined;
}

define(Server, tls.Server as unknown as { prototype: object }, [serverMembers]);
const ServerClass = Server as unknown as typeof NodeHttps.Server;

/** TLS sessions by what makes connections different, the oldest first. */
interface SessionCache {
  readonly map: Record<string, unknown>;
  readonly list: string[];
}

interface AgentState {
  options: Options;
  maxCachedSessions: number;
  _sessionCache: SessionCache;
  _getSession(key: string): unknown;
  _cacheSession(key: string, session: unknown): void;
  _evictSession(key: string): void;
}

const SESSIONS_MAX = 100;

function Agent(this: AgentState, options?: Options): unknown {
  if (!(this instanceof (Agent as unknown as new () => object))) return new AgentClass(options as NodeHttps.AgentOptions);
  (http.Agent as unknown as Call).call(this, { defaultPort: 443, protocol: 'https:', ...options });
  keepSessions(this, this.options['maxCachedSessions'] as number | undefined);
  return undefined;
}

function keepSessions<T extends object>(agent: T, maximum = SESSIONS_MAX): T {
  return Object.assign(agent, { maxCachedSessions: maximum, _sessionCache: { map: {}, list: [] } });
}

/** What makes two encrypted connections different. */
const NAMED = [
  'ca',
  'cert',
  'clientCertEngine',
  'ciphers',
  'key',
  'pfx',
  'rejectUnauthorized',
  'servername',
  'minVersion',
  'maxVersion',
  'secureProtocol',
  'crl',
  'honorCipherOrder',
  'ecdhCurve',
  'dhparam',
  'secureOptions',
  'sessionIdContext',
  'sigalgs',
  'privateKeyIdentifier',
  'privateKeyEngine',
] as const;
const httpName = http.Agent.prototype.getName as unknown as Call;

const agentMembers = {
  createConnection(this: AgentState, ...args: unknown[]): unknown {
    const normalize = (net as unknown as { _normalizeArgs(args: unknown[]): [Options, unknown] })._normalizeArgs;
    const [first] = normalize(args);
    const more = args.find((arg, index) => index > 0 && typeof arg === 'object' && arg !== null) as Options | undefined;
    const options: Options = { ...first, ...more };
    const key = options['_agentKey'] as string | undefined;
    const session = key ? this._getSession(key) : undefined;
    const socket = tls.connect((session ? { session, ...options } : options) as unknown as ConnectionOptions);
    if (key) {
      socket.on('session', (made) => this._cacheSession(key, made));
      socket.once('close', (hadError) => {
        if (hadError) this._evictSession(key);
      });
    }
    return socket;
  },
  _getSession(this: AgentState, key: string): unknown {
    return this._sessionCache.map[key];
  },
  _cacheSession(this: AgentState, key: string, session: unknown): void {
    const { map, list } = this._sessionCache;
    if (this.maxCachedSessions === 0) return;
    if (!map[key]) {
      if (list.length >= this.maxCachedSessions) delete map[list.shift() as string];
      list.push(key);
    }
    map[key] = session;
  },
  _evictSession(this: AgentState, key: string): void {
    const { map, list } = this._sessionCache;
    const at = list.indexOf(key);
    if (at === -1) return;
    list.splice(at, 1);
    delete map[key];
  },
  getName(this: unknown, options: Options = {}): string {
    let name = httpName.call(this, options) as string;
    for (const key of NAMED) {
      const value = options[key];
      name += ':';
      if (value !== undefined && (key !== 'servername' || value !== options['host']))
        name += key === 'sigalgs' ? JSON.stringify(value) : (value as string);
    }
    return name;
  },
};

define(Agent, http.Agent, [agentMembers]);
const AgentClass = Agent as unknown as typeof NodeHttps.Agent;

const agents = {
  https: keepSessions(lateAgent(AgentClass, { keepAlive: true, scheduling: 'lifo', timeout: 5000, defaultPort: 443, protocol: 'https:' })),
};

function request(...args: unknown[]): NodeHttps.RequestOptions {
  const [first] = args;
  const isUrl = typeof first === 'string' || first instanceof URL;
  const url = typeof first === 'string' ? new URL(first) : first;
  const rest = isUrl ? args.slice(1) : args;
  const base = isUrl ? process.getBuiltinModule('node:url').urlToHttpOptions(url as URL) : {};
  const given = typeof rest[0] === 'function' ? {} : rest.shift();
  const options = { ...base, ...(given as RequestOptions), _defaultAgent: agents.https };
  return new (http.ClientRequest as unknown as new (...args: unknown[]) => NodeHttps.RequestOptions)(options, ...rest);
}

function get(...args: unknown[]): unknown {
  const sent = request(...args) as unknown as { end(): void };
  sent.end();
  return sent;
}

export default {
  Agent: AgentClass,
  get globalAgent(): unknown {
    return agents.https;
  },
  set globalAgent(value: unknown) {
    agents.https = value as typeof agents.https;
  },
  Server: ServerClass,
  createServer: (options?: unknown, listener?: unknown): NodeHttps.Server =>
    new ServerClass(options as NodeHttps.ServerOptions, listener as never),
  get,
  request,
};
