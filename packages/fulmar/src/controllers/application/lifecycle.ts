/**
 * Hooks of providers, controllers and modules: those of modules furthest from the root first, within one by what stands
 * on what, the module's own class last. At the end the other way round.
 */
import type { Container } from '../container/container.ts';
import type { ModuleRecord } from '../container/module-record.ts';
import type { ErrorLog } from '../logger.ts';

export type Hook = 'onModuleInit' | 'onApplicationBootstrap' | 'onModuleDestroy' | 'beforeApplicationShutdown' | 'onApplicationShutdown';

type Called = Readonly<Record<string, unknown>>;

/** Instances by how much they stand on; each once, whatever else it is called. */
function levelsOf(module: ModuleRecord): Map<number, unknown[]> {
  const levels = new Map<number, unknown[]>();
  for (const wrapper of [...module.controllers.values(), ...module.injectables.values(), ...module.providers.values()]) {
    if (wrapper.isRequestScoped || wrapper.isAlias || wrapper.token === module.metatype) continue;
    const list = levels.get(wrapper.level) ?? [];
    levels.set(wrapper.level, list);
    list.push(...(wrapper.isTransient ? wrapper.transients : [wrapper.holder.value]));
  }
  return levels;
}

const calls = (instance: unknown, hook: Hook): boolean => typeof (instance as Called | null | undefined)?.[hook] === 'function';

async function call(instance: unknown, hook: Hook, signal: string | undefined): Promise<void> {
  await (instance as Record<Hook, (signal?: string) => unknown>)[hook](signal);
}

/** @throws what a hook throws */
export async function runStartHooks(container: Container, hook: 'onModuleInit' | 'onApplicationBootstrap'): Promise<void> {
  for (const module of byDistance(container)) {
    const levels = levelsOf(module);
    for (const level of [...levels.keys()].toSorted((one, other) => one - other))
      await Promise.all((levels.get(level) ?? []).filter((one) => calls(one, hook)).map((one) => call(one, hook, undefined)));
    const own: unknown = module.providers.get(module.metatype)?.holder.value;
    if (calls(own, hook)) await call(own, hook, undefined);
  }
}

/** All run; what one throws is for the log. */
export async function runEndHooks(container: Container, hook: Hook, log: ErrorLog, signal?: string): Promise<void> {
  const told = (instance: unknown): Promise<void> =>
    call(instance, hook, signal).catch((error: unknown) => log.error(`${hook} of ${(instance as object).constructor.name}`, error));
  for (const module of byDistance(container).toReversed()) {
    const levels = levelsOf(module);
    for (const level of [...levels.keys()].toSorted((one, other) => other - one))
      await Promise.all((levels.get(level) ?? []).filter((one) => calls(one, hook)).map(told));
    const own: unknown = module.providers.get(module.metatype)?.holder.value;
    if (calls(own, hook)) await told(own);
  }
}

function byDistance(container: Container): ModuleRecord[] {
  return [...container.modules.values()].toSorted((one, other) => other.distance - one.distance);
}
