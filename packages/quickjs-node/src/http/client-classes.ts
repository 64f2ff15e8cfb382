/**
 * The classes of the client as everybody sees them. What they do is in `client.later.ts` and
 * `agent.later.ts`, which are loaded with the first call: a server that sends no requests does not pay for
 * them.
 */
import later, { type LateFile } from 'fulmar:later';
import { EventEmitter } from 'node:events';
import type * as NodeHttp from 'node:http';
import { define } from '../shared/define.ts';
import { OutgoingMessageClass } from './message-classes.ts';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** A constructor's work and the members of its prototype. */
interface Implementation {
  construct: Method;
  members: Record<string | symbol, Method>;
}

type Load = () => Implementation;

const load = (file: LateFile<Implementation>): Load => {
  let loaded: Implementation | undefined;
  return () => (loaded ??= later(file));
};

const agent = load(later.file<typeof import('./agent.later.ts')>() as LateFile<unknown> as LateFile<Implementation>);
const client = load(later.file<typeof import('./client.later.ts')>() as LateFile<unknown> as LateFile<Implementation>);

/** Members that load what they do when they are called. */
function forwarded(from: Load, names: readonly string[]): object {
  const members: Record<string, unknown> = {};
  for (const name of names) {
    members[name] = function forward(this: unknown, ...args: unknown[]): unknown {
      settle(this);
      return (from().members[name] as Method).apply(this, args);
    };
    Object.defineProperty(members[name], 'name', { value: name });
  }
  return members;
}

/** Own fields of an agent; those of the global one come into being when one of them is read. */
const AGENT_FIELDS = [
  'defaultPort',
  'protocol',
  'options',
  'requests',
  'sockets',
  'freeSockets',
  'keepAliveMsecs',
  'keepAlive',
  'maxSockets',
  'maxFreeSockets',
  'scheduling',
  'maxTotalSockets',
  'totalSocketCount',
  'agentKeepAliveTimeoutBuffer',
] as const;

/** Agents that are still to be constructed, with their options. */
const unsettled = new WeakMap<object, object>();

function settle(target: unknown): void {
  const options = unsettled.get(target as object);
  if (options === undefined) return;
  unsettled.delete(target as object);
  for (const name of AGENT_FIELDS) Reflect.deleteProperty(target as object, name);
  agent().construct.call(target, options);
}

/** An agent that is constructed when somebody looks at it. */
export function lateAgent(Class: { prototype: object }, options: object): NodeHttp.Agent {
  const made = Object.create(Class.prototype) as NodeHttp.Agent;
  (EventEmitter as unknown as Method).call(made);
  unsettled.set(made, options);
  for (const name of AGENT_FIELDS) {
    Object.defineProperty(made, name, {
      get() {
        settle(made);
        return Reflect.get(made, name);
      },
      set(value: unknown) {
        settle(made);
        Reflect.set(made, name, value);
      },
      enumerable: true,
      configurable: true,
    });
  }
  return made;
}

function AgentConstructor(this: unknown, options?: unknown): unknown {
  if (!(this instanceof (AgentConstructor as unknown as new () => object))) return new Agent(options as NodeHttp.AgentOptions);
  return agent().construct.call(this, options);
}

const agentMembers = forwarded(agent, [
  'createConnection',
  'getName',
  'addRequest',
  'createSocket',
  'removeSocket',
  'keepSocketAlive',
  'reuseSocket',
  'destroy',
]);

define(AgentConstructor, EventEmitter, [agentMembers]);
Object.defineProperty(AgentConstructor, 'name', { value: 'Agent' });
Object.defineProperty(AgentConstructor, 'defaultMaxSockets', { value: Infinity, writable: true, enumerable: true, configurable: true });

export const Agent = AgentConstructor as unknown as typeof NodeHttp.Agent;

function RequestConstructor(this: unknown, ...args: unknown[]): unknown {
  return client().construct.apply(this, args);
}

const requestMembers = forwarded(client, [
  '_finish',
  '_implicitHeader',
  'abort',
  'destroy',
  'onSocket',
  '_deferToConnect',
  'setTimeout',
  'clearTimeout',
  'setNoDelay',
  'setSocketKeepAlive',
]);

const requestFields = {
  get path(): unknown {
    return (this as { _path?: unknown })._path;
  },
  set path(value: unknown) {
    (client().members['setPath'] as Method).call(this, value);
  },
};

define(RequestConstructor, OutgoingMessageClass, [requestMembers, requestFields]);
Object.defineProperty(RequestConstructor, 'name', { value: 'ClientRequest' });

export const ClientRequest = RequestConstructor as unknown as typeof NodeHttp.ClientRequest;

/** `http.globalAgent`, which an application may replace. */
const KEEP_ALIVE = { keepAlive: true, scheduling: 'lifo', timeout: 5000 };
export const globalAgents: { http: NodeHttp.Agent } = { http: lateAgent(Agent, KEEP_ALIVE) };
