/**
 * Objects of a guest's, as JavaScript has them: a handle is an object there, a path is members of one that nobody has
 * asked for yet. `model.layers[0].predict` is a path; calling it is one message, awaiting it asks for its value.
 *
 * Both are proxies over a node. A handle is let go of when its node is collected, which paths from it keep.
 */
import { type CallOptions, checkCallOptions } from './call-options.ts';
import { GuestError } from './errors.ts';
import type { Caller, Owned, SentOptions, Write } from './guest-types.ts';
import { Owner } from './owner.ts';
import { NamedArguments } from './values.ts';
import type { Outbox } from './wire/outbox.ts';
import { Action, type ActionCode, Form, Kind } from './wire/tags.ts';

interface Node {
  readonly owner: Owner;
  readonly path: readonly string[];
  readonly options: CallOptions;
  readonly members: Map<string, object>;
}

const nodes = new WeakMap<object, Node>();
/** Members that are kept for the next time, of one object: their names may be what clients send. */
const MEMBERS_MAX = 256;

const registry = new FinalizationRegistry<{ readonly guest: Caller; readonly id: number }>(({ guest, id }) => guest.release(id));

export function ownerOf(value: object): Owned | undefined {
  const node = nodes.get(value);
  if (node === undefined) return undefined;
  if (node.path.length > 0 || node.owner.pending !== undefined) {
    const text = `${nameOf(node)} is a member that nobody has asked for yet: await it before it is given to another call`;
    throw new GuestError('ERR_GUEST_VALUE', node.owner.guest.name, text);
  }
  return node.owner;
}

export const isHandle = (value: unknown): value is object =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') && nodes.has(value);

export function makeHandle(guest: Caller, id: number, className: string): object {
  const owner = new Owner(guest, id, className);
  registry.register(owner, { guest, id }, owner);
  return proxyOf({ owner, path: [], options: {}, members: new Map() });
}

/** What is asked for already; `again` where files that are loaded anew make something else of it. */
interface Asked {
  readonly pending: Promise<unknown>;
  readonly again?: () => Promise<unknown>;
}

/** A handle of what is still on its way. */
export function makePending(
  guest: Caller,
  { pending, again }: Asked,
  { name, options }: { readonly name: string; readonly options: CallOptions },
): object {
  const owner = new Owner(guest, undefined, name);
  owner.again = again;
  waitFor(owner, pending);
  return proxyOf({ owner, path: [], options, members: new Map() });
}

function waitFor(owner: Owner, result: Promise<unknown>): void {
  owner.result = result;
  owner.generation = owner.guest.generation;
  owner.pending = result.then((value) => {
    const node = typeof value === 'object' || typeof value === 'function' ? nodes.get(value as object) : undefined;
    if (node === undefined) throw new GuestError('ERR_GUEST_VALUE', owner.guest.name, `${owner.className} has no members: await it`);
    return node.owner;
  });
  owner.pending.catch(() => undefined);
}

/** The newest of it. */
function renewed(owner: Owner): Owner {
  if (owner.again !== undefined && owner.generation !== owner.guest.generation) waitFor(owner, owner.again());
  return owner;
}

/** What is built in, as the beginning of paths. */
export function makeRoot(guest: Caller, options: CallOptions): object {
  return proxyOf({ owner: new Owner(guest, 0, guest.name), path: [], options, members: new Map() });
}

function nodeOf(value: unknown, where: string): Node {
  const node = isHandle(value) ? nodes.get(value) : undefined;
  if (node === undefined) throw new TypeError(`${where}: an object of another language is expected, as python.import() gives`);
  return node;
}

/** The same object, whose calls have these options. */
export function withOptions<Value extends object>(value: Value, options: CallOptions): Value {
  const node = nodeOf(value, 'withOptions()');
  checkCallOptions(options, 'withOptions()');
  const made: Node = { owner: node.owner, path: node.path, options: { ...node.options, ...options }, members: new Map() };
  return proxyOf(made) as Value;
}

/** The value behind a path: what `await` gives, and with `sync: true` the value itself. */
export function get(value: object): unknown {
  return perform(nodeOf(value, 'get()'), Action.GET, []);
}

export function set(value: object, name: string, member: unknown): unknown {
  const node = nodeOf(value, 'set()');
  return perform({ ...node, path: [...node.path, name] }, Action.SET, [member]);
}

export function remove(value: object, name: string): unknown {
  const node = nodeOf(value, 'remove()');
  return perform({ ...node, path: [...node.path, name] }, Action.DELETE, []);
}

export function names(value: object): string[] | Promise<string[]> {
  return perform(nodeOf(value, 'names()'), Action.NAMES, []) as string[] | Promise<string[]>;
}

/** How the guest writes it. */
export function text(value: object): string | Promise<string> {
  return perform(nodeOf(value, 'text()'), Action.TEXT, []) as string | Promise<string>;
}

/** Lets go of an object, once the calls that are on their way have it; what is done with it afterwards is an error. */
export function release(value: object): void {
  const { owner } = nodeOf(value, 'release()');
  if (owner.id === 0) return;
  registry.unregister(owner);
  owner.release();
}

function perform(node: Node, action: ActionCode, args: readonly unknown[]): unknown {
  const { owner, options } = node;
  if (owner.pending !== undefined) return performLater(node, action, args);
  if (owner.id === undefined) {
    const error = new GuestError('ERR_GUEST_HANDLE', owner.guest.name, `${nameOf(node)} was let go of`);
    if (options.sync === true) throw error;
    return Promise.reject(error);
  }
  const write: Write = (outbox) => writeCall(outbox, node, action, args);
  if (options.sync === true) return owner.guest.requestNow(Kind.CALL, write, { ...options, what: () => nameOf(node) });
  return owner.guest.requestOpen(Kind.CALL, write, named(options, node));
}

async function performLater(node: Node, action: ActionCode, args: readonly unknown[]): Promise<unknown> {
  const owner = (await renewed(node.owner).pending) as Owner;
  return perform({ ...node, owner }, action, args);
}

function writeCall(outbox: Outbox, node: Node, action: ActionCode, args: readonly unknown[]): void {
  const { owner, path, options } = node;
  outbox.owned(owner);
  outbox.size(path.length);
  for (const name of path) outbox.text(name);
  outbox.byte(action);
  outbox.byte(options.result === 'handle' ? Form.HANDLE : Form.AUTO);
  const last = args.at(-1);
  const named = last instanceof NamedArguments ? (last as NamedArguments) : undefined;
  const count = named === undefined ? args.length : args.length - 1;
  outbox.size(count);
  for (let at = 0; at < count; at += 1) outbox.value(args[at]);
  if (named === undefined) outbox.size(0);
  else outbox.members(named.values);
}

/** What is late is said by its name. */
const named = (options: CallOptions, node: Node): SentOptions =>
  options.timeout === undefined ? options : { ...options, what: () => nameOf(node) };

const nameOf = (node: Node): string => [node.owner.className, ...node.path].join('.');

/** Can be called and constructed, and has no member that a proxy could not hide. It never runs: the handler answers. */
const target = function () {
  // See above.
}.bind(undefined) as () => void;
// `console.log` looks behind proxies for it.
Object.defineProperty(target, Symbol.for('nodejs.util.inspect.custom'), {
  configurable: true,
  value(this: object): string {
    const node = nodes.get(this);
    return node === undefined ? 'an object of another language' : `[${node.owner.guest.name} ${nameOf(node)}]`;
  },
});

function proxyOf(node: Node): object {
  const proxy = new Proxy(target, new Handler(node)) as object;
  nodes.set(proxy, node);
  return proxy;
}

function refuseJson(node: Node): never {
  const { guest } = node.owner;
  const text = `${nameOf(node)} is an object of ${guest.name}, which is no JSON: reply with values of it, or with await text(x)`;
  throw new GuestError('ERR_GUEST_VALUE', guest.name, text);
}

class Handler implements ProxyHandler<() => void> {
  readonly #node: Node;

  constructor(node: Node) {
    this.#node = node;
  }

  get(_target: unknown, name: string | symbol): unknown {
    const node = this.#node;
    if (typeof name === 'symbol') return bySymbol(node, name);
    // Asked of what `require('./model.py')` gives by all who make `import` of it.
    if (name === '__esModule') return undefined;
    const known = node.members.get(name);
    if (known !== undefined) return known;
    // Asked for by `JSON.stringify()`, which would call a member of the guest's and drop its promise.
    if (name === 'toJSON') return () => refuseJson(node);
    if (name === 'then') {
      // A handle is what it is; a path is awaited for its value.
      if (node.path.length === 0 && node.owner.pending === undefined) return undefined;
      return (resolve: (value: unknown) => void, reject: (error: unknown) => void) => valueOf(node).then(resolve, reject);
    }
    const member = proxyOf({ owner: node.owner, path: [...node.path, name], options: node.options, members: new Map() });
    if (node.members.size < MEMBERS_MAX) node.members.set(name, member);
    return member;
  }

  apply(_target: unknown, _this: unknown, args: readonly unknown[]): unknown {
    return perform(this.#node, Action.CALL, args);
  }

  construct(_target: unknown, args: readonly unknown[]): object {
    return perform(this.#node, Action.NEW, args) as object;
  }

  set(_target: unknown, name: string | symbol): boolean {
    throw new TypeError(
      `${nameOf(this.#node)}.${String(name)} is set by a message, which an assignment cannot wait for: await set(object, ${JSON.stringify(String(name))}, value)`,
    );
  }

  deleteProperty(_target: unknown, name: string | symbol): boolean {
    throw new TypeError(
      `${nameOf(this.#node)}.${String(name)} is removed by a message: await remove(object, ${JSON.stringify(String(name))})`,
    );
  }

  defineProperty(): boolean {
    throw new TypeError(`${nameOf(this.#node)} is an object of another language: await set(object, name, value)`);
  }

  has(_target: unknown, name: string | symbol): boolean {
    return typeof name === 'string' && name !== 'then';
  }

  getPrototypeOf(): null {
    return null;
  }

  setPrototypeOf(): boolean {
    return false;
  }

  /** All proxies have one target: one that is frozen would be all of them. */
  preventExtensions(): boolean {
    throw new TypeError(`${nameOf(this.#node)} is an object of another language, which cannot be frozen here`);
  }

  ownKeys(): string[] {
    return [];
  }

  getOwnPropertyDescriptor(): undefined {
    return undefined;
  }
}

async function valueOf(node: Node): Promise<unknown> {
  if (node.owner.result !== undefined && node.path.length === 0) return renewed(node.owner).result;
  return perform(node, Action.GET, []);
}

function bySymbol(node: Node, name: symbol): unknown {
  if (name === Symbol.asyncIterator) return () => iterate(node);
  if (name === Symbol.iterator && node.options.sync === true) return () => iterateNow(node);
  if (name === Symbol.toPrimitive || name === Symbol.toStringTag) return primitive(node, name);
  const { dispose, asyncDispose } = Symbol as { dispose?: symbol; asyncDispose?: symbol };
  const proxy = (): object => proxyOf({ ...node, path: [], members: new Map() });
  if (dispose !== undefined && name === dispose) return () => release(proxy());
  if (asyncDispose !== undefined && name === asyncDispose)
    return () => {
      release(proxy());
      return Promise.resolve();
    };
  return undefined;
}

function primitive(node: Node, name: symbol): unknown {
  const text = `${node.owner.guest.name} ${nameOf(node)}`;
  return name === Symbol.toStringTag ? text : () => `[${text}]`;
}

/** One value after the other, each asked for when it is wanted. */
async function* iterate(node: Node): AsyncGenerator<unknown> {
  const iterator = (await perform({ ...node, options: { ...node.options, sync: false } }, Action.ITERATE, [])) as object;
  const own = nodes.get(iterator) as Node;
  const step: Node = { ...own, options: { ...node.options, sync: false, result: 'value' } };
  let hasEnded = false;
  try {
    for (;;) {
      const [...values] = (await perform(step, Action.NEXT, [])) as readonly unknown[];
      if (values.length === 0) {
        hasEnded = true;
        return;
      }
      yield values[0];
    }
  } catch (error) {
    hasEnded = true;
    throw error;
  } finally {
    if (!hasEnded) await perform(step, Action.RETURN, []);
    release(iterator);
  }
}

function* iterateNow(node: Node): Generator<unknown> {
  const iterator = perform(node, Action.ITERATE, []) as object;
  const own = nodes.get(iterator) as Node;
  const step: Node = { ...own, options: { ...node.options, result: 'value' } };
  let hasEnded = false;
  try {
    for (;;) {
      const [...values] = perform(step, Action.NEXT, []) as readonly unknown[];
      if (values.length === 0) {
        hasEnded = true;
        return;
      }
      yield values[0];
    }
  } catch (error) {
    hasEnded = true;
    throw error;
  } finally {
    if (!hasEnded) perform(step, Action.RETURN, []);
    release(iterator);
  }
}
