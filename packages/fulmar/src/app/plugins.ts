/**
 * Plugins: which may be registered where, and their set-up, one after the other in the order of their
 * registration. At once where none before it takes its time. Never met by a request that comes behind it.
 */
import { decorate, decorateContext } from './decorations.ts';
import { type Checks, checkOptions, isBoolean, isFunction, isListOf, shown } from './checked-options.ts';
import type { DefinePlugin, Plugin, PluginFunction } from './plugin-types.ts';
import type { Scope } from './scope.ts';
import { isThenable } from '../host/thenable.ts';

type AnyPlugin = Plugin<never>;
/** Makes the app that a plugin is given. */
type MakeScope = (parent: Scope, plugin: AnyPlugin, prefix: string) => Scope;

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const CHECKS: Checks<Omit<AnyPlugin, symbol>> = {
  name: [isName, 'a text'],
  version: [isName, 'a text'],
  dependencies: [(value) => isListOf(isName, value), 'a list of names of plugins'],
  multiple: isBoolean,
  encapsulate: isBoolean,
  decorators: [
    (value) => isRecord(value) && Object.entries(value).every(([key, one]) => (key === 'app' || key === 'context') && isRecord(one)),
    'an object { app, context } of what is added by name',
  ],
  setup: isFunction('(app, options)'),
};

/** @throws TypeError for a member that is none, or is something else than it may be */
export const definePlugin = ((
  given: Partial<Omit<AnyPlugin, 'decorators'>> & { decorators?: Partial<AnyPlugin['decorators']> },
): AnyPlugin => {
  checkOptions('definePlugin', given, CHECKS as never);
  if (given.name === undefined) throw new TypeError('definePlugin(): name is missing; errors and dependencies are told by it.');
  const { setup, decorators } = given;
  if (setup === undefined) throw new TypeError(`definePlugin(): setup of ${given.name} is missing, a function (app, options).`);
  return Object.freeze({
    ...(given as AnyPlugin),
    encapsulate: given.encapsulate ?? true,
    decorators: { app: decorators?.app ?? {}, context: decorators?.context ?? {} },
  });
}) as unknown as DefinePlugin;

const defined = (value: unknown): value is AnyPlugin =>
  isRecord(value) && typeof value['setup'] === 'function' && typeof value['encapsulate'] === 'boolean' && isRecord(value['decorators']);

/** A module that was imported stands for its default export. */
function toPlugin(given: unknown): AnyPlugin {
  const plugin = isRecord(given) && !('setup' in given) && 'default' in given ? given['default'] : given;
  if (typeof plugin === 'function') {
    const setup = plugin as PluginFunction<never>;
    return { name: setup.name, encapsulate: true, multiple: true, decorators: { app: {}, context: {} }, setup };
  }
  if (defined(plugin)) return plugin;
  throw new TypeError(
    isRecord(plugin) && typeof plugin['setup'] === 'function'
      ? 'register() takes this object when definePlugin() has made a plugin of it.'
      : `register() takes a function (app, options) or what definePlugin() gives, and this is ${shown(plugin)}.`,
  );
}

/** @throws TypeError for what is no plugin; Error for one that may not stand there, and what its set-up throws at once */
export function register(scope: Scope, given: unknown, options: unknown, makeScope: MakeScope): void {
  if (!isThenable(given)) return enqueue(scope, prepare(scope, toPlugin(given), options, makeScope));
  return enqueue(scope, async () => {
    const plugin = toPlugin(await given);
    await prepare(scope, plugin, options, makeScope)();
  });
}

/** Checks a plugin where it stands, and keeps its place. The result is its set-up. */
function prepare(scope: Scope, plugin: AnyPlugin, options: unknown, makeScope: MakeScope): () => void | Promise<void> {
  checkPlace(scope, plugin);
  const prefix = plugin.encapsulate ? prefixOf(plugin, options) : '/';
  if (plugin.multiple !== true || !scope.owner.plugins.has(plugin.name)) {
    scope.owner.plugins.set(plugin.name, { isShared: !plugin.encapsulate });
  }
  const inner = makeScope(scope, plugin, prefix);
  return () => setUp(inner, plugin, options);
}

/**
 * `{ prefix: '/v1' }` among the options, as Fastify has it; the plugin is given it as well. One that keeps nothing to
 * itself has no app of its own to put there: to it `prefix` is an option as any other.
 */
function prefixOf(plugin: AnyPlugin, options: unknown): string {
  const prefix = isRecord(options) && Object.hasOwn(options, 'prefix') ? options['prefix'] : undefined;
  if (prefix === undefined || prefix === '') return '/';
  if (typeof prefix === 'string' && prefix.startsWith('/')) return prefix;
  throw new TypeError(
    `register(): prefix of plugin ${titleOf(plugin)} is the path that its routes lie under, which begins with a slash, and this is ${shown(prefix)}.`,
  );
}

function setUp(inner: Scope, plugin: AnyPlugin, options: unknown): void | Promise<void> {
  try {
    for (const [name, value] of Object.entries(plugin.decorators.app)) decorate(inner, name, value);
    for (const [name, value] of Object.entries(plugin.decorators.context)) decorateContext(inner, name, value);
    const result = plugin.setup(inner.face as never, options as never);
    // An app that is returned, for its type, is no promise.
    if (!isThenable(result) && !isPending(inner)) return;
    const { pluginTimeoutMs } = inner.settings;
    return inTime(plugin, Promise.resolve(result), pluginTimeoutMs).then(
      () => drain(inner),
      (error: unknown) => {
        throw failed(plugin, error);
      },
    );
  } catch (error) {
    throw failed(plugin, error);
  }
}

const titleOf = ({ name, version }: AnyPlugin): string =>
  `${name === '' ? 'without a name' : name}${version === undefined ? '' : `@${version}`}`;

function failed(plugin: AnyPlugin, error: unknown): Error {
  const reason = error instanceof Error ? error.message : shown(error);
  return new Error(`The set-up of plugin ${titleOf(plugin)} failed: ${reason}`, { cause: error });
}

function inTime(plugin: AnyPlugin, result: Promise<unknown>, timeoutMs: number): Promise<unknown> {
  if (timeoutMs === 0) return result;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const advice = 'Does it wait for the app it is registered in? pluginTimeoutMs of createApp() gives it longer, 0 any time.';
      reject(new Error(`it was not done within ${timeoutMs} ms (plugin ${titleOf(plugin)}). ${advice}`));
    }, timeoutMs);
    void result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function checkPlace(scope: Scope, plugin: AnyPlugin): void {
  if (plugin.multiple !== true && seen(scope, plugin.name) !== undefined) {
    throw new Error(
      `Plugin ${titleOf(plugin)} is registered already; register it once, or give definePlugin() multiple: true where it may come again.`,
    );
  }
  for (const name of plugin.dependencies ?? []) {
    const found = seen(scope, name);
    if (found === undefined) {
      throw new Error(
        `Plugin ${titleOf(plugin)} depends on ${name}, which is not registered before it; register ${name} first, in the same app or around it.`,
      );
    }
    if (!found.isShared && !isWithin(scope, name)) {
      throw new Error(
        `Plugin ${titleOf(plugin)} depends on ${name}, which keeps to itself what it adds; ` +
          `give ${name} encapsulate: false, or register ${titleOf(plugin)} within it.`,
      );
    }
  }
}

/** A plugin that was registered here or in a scope around. */
function seen(scope: Scope, name: string): { readonly isShared: boolean } | undefined {
  for (let one: Scope | undefined = scope.owner; one !== undefined; one = one.origin?.within.owner) {
    const found = one.plugins.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isWithin(scope: Scope, name: string): boolean {
  for (let one: Scope | undefined = scope; one !== undefined; one = one.origin?.within) if (one.origin?.plugin === name) return true;
  return false;
}

function enqueue(scope: Scope, work: () => void | Promise<void>): void {
  const before = scope.queue;
  const started = before === null ? work() : before.then(work);
  if (!isThenable(started)) return;
  const current: Promise<void> = started.then(() => {
    if (scope.queue === current) scope.queue = null;
  });
  // Whoever waits for the app is told.
  current.catch(() => {});
  scope.queue = current;
  waitFor(scope);
}

/** Nobody is answered before this scope is ready. */
export function waitFor(scope: Scope): void {
  scope.isWaiting = true;
  for (const parent of scope.parents) waitFor(parent.scope);
}

const isPending = (scope: Scope): boolean => [...scope.all()].some(({ queue }) => queue !== null);

async function drain(scope: Scope): Promise<void> {
  for (let one = pendingOf(scope); one !== null; one = pendingOf(scope)) await one;
}

function pendingOf(scope: Scope): Promise<void> | null {
  for (const { queue } of scope.all()) if (queue !== null) return queue;
  return null;
}

/** Waits for all plugins, then runs the hooks for that, each once. What failed stays failed. */
export function ready(scope: Scope): Promise<void> {
  if (!scope.isWaiting) return Promise.resolve();
  scope.readying ??= load(scope).finally(() => (scope.readying = null));
  return scope.readying;
}

async function load(scope: Scope): Promise<void> {
  if (scope.failure !== null) throw scope.failure.error;
  try {
    do {
      await drain(scope);
      for (const one of scope.all()) for (const hook of one.hooks.ready.splice(0)) await hook();
    } while (isPending(scope) || [...scope.all()].some(({ hooks }) => hooks.ready.length > 0));
    scope.isWaiting = false;
  } catch (error) {
    scope.failure = { error };
    throw error;
  }
}
