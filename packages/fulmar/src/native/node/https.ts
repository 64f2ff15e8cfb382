/**
 * `node:https`: `node:http` over `node:tls`.
 */
import http from 'node:http';
import type * as NodeHttps from 'node:https';
import type { RequestOptions } from 'node:http';
import tls from 'node:tls';
import { lateAgent } from '../http/client-classes.ts';
import { define } from '../define.ts';
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

function Agent(this: unknown, options?: Options): unknown {
  if (!(this instanceof (Agent as unknown as new () => object))) return new AgentClass(options as NodeHttps.AgentOptions);
  (http.Agent as unknown as Call).call(this, { defaultPort: 443, protocol: 'https:', ...options });
  return undefined;
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
  createConnection(this: unknown, ...args: unknown[]): unknown {
    return (tls.connect as unknown as Call)(...args);
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
  https: lateAgent(AgentClass, { keepAlive: true, scheduling: 'lifo', timeout: 5000, defaultPort: 443, protocol: 'https:' }),
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
