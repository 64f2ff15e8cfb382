/**
 * What stands among the imports of a module: a class, a dynamic module or a promise of one, a reference forward.
 */
import { KEYS } from '../metadata/keys.ts';
import { has } from '../metadata/reflect.ts';
import type { Type } from '../nest-types.ts';
import { badImport, ContainerError } from './container-error.ts';

export interface GivenModule {
  /** What makes it one and the same: its class, or the object of a dynamic one. */
  readonly key: object;
  readonly metatype: Type;
  readonly dynamic: Readonly<Record<string, unknown>>;
}

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({});

interface Parent {
  readonly name: string;
  readonly index: number;
  readonly path: readonly Type[];
}

type Waiting = Promise<unknown>;

/** @throws ContainerError for what is no module */
export async function toModule(given: unknown, parent: Parent): Promise<GivenModule> {
  const found: unknown = await (unforwarded(given) as Waiting);
  if (typeof found === 'function') return { key: found, metatype: checked(found as Type, parent), dynamic: NOTHING };
  const { module } = (found ?? {}) as { module?: unknown };
  if (typeof module === 'function')
    return { key: found as object, metatype: module as Type, dynamic: found as Readonly<Record<string, unknown>> };
  const shown =
    found === null || found === undefined ? String(found) : typeof found === 'object' ? 'an object without a module' : typeof found;
  throw badImport(parent.index, shown, parent.path);
}

export function unforwarded(given: unknown): unknown {
  const forward = (given as { forwardRef?: unknown } | null | undefined)?.forwardRef;
  return typeof given === 'object' && typeof forward === 'function' ? (forward as () => unknown)() : given;
}

/** Where a class that is something else stands. */
const MARKS = [
  [KEYS.controller, '@Controller()', 'controllers'],
  [KEYS.catchMark, '@Catch()', 'providers, under APP_FILTER'],
  [KEYS.injectable, '@Injectable()', 'providers'],
] as const;

function checked(type: Type, { name, path }: Parent): Type {
  const isModule = [KEYS.imports, KEYS.providers, KEYS.controllers, KEYS.exports].some((key) => has(key, type));
  if (isModule) return type;
  for (const [mark, decorator, place] of MARKS)
    if (has(mark, type))
      throw new ContainerError(
        `${type.name} has ${decorator} and stands in the imports of ${name}: move it to the ${place}. (${path.map((one) => one.name).join(' -> ')})`,
        [type, path.at(-1) ?? null],
      );
  return type;
}
