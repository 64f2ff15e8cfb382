/**
 * `Reflector`: metadata of methods and classes, for guards and interceptors. Has no state.
 */
import { nameOfMember } from './decorators/member-name.ts';
import { SetMetadata, type CustomDecorator } from './decorators/enhancers.ts';
import { read } from './metadata/reflect.ts';
import type { Type } from './nest-types.ts';

export interface CreateDecoratorOptions<Given = any, Kept = Given> {
  key?: string;
  transform?: (value: Given) => Kept;
}
/** A decorator whose metadata is read by itself: `reflector.get(Roles, handler)`. */
export type ReflectableDecorator<Given, Kept = Given> = ((value?: Given) => CustomDecorator) & { KEY: string; readonly kept?: Kept };

type Key = unknown;
type Target = Type<any> | Function;

const keyOf = (key: Key): unknown =>
  typeof key === 'function' && (key as { KEY?: unknown }).KEY !== undefined ? (key as { KEY?: unknown }).KEY : key;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export class Reflector {
  static createDecorator<Given = any, Kept = Given>(options: CreateDecoratorOptions<Given, Kept> = {}): ReflectableDecorator<Given, Kept> {
    const key = options.key ?? nameOfMember('Reflector');
    const decorator = (value?: Given): CustomDecorator => {
      const kept = options.transform === undefined ? value : options.transform(value as Given);
      return SetMetadata(key, kept === undefined ? {} : kept);
    };
    return Object.assign(decorator, { KEY: key });
  }

  get<Given = any, Kept = Given>(decorator: ReflectableDecorator<Given, Kept>, target: Target): Kept;
  get<T = any, K = any>(key: K, target: Target): T;
  get(key: Key, target: Target): unknown {
    return read(keyOf(key), target);
  }

  getAll<Given = any, Kept = Given>(decorator: ReflectableDecorator<Given, Kept>, targets: Target[]): Kept extends any[] ? Kept : Kept[];
  getAll<T extends any[] = any[], K = any>(key: K, targets: Target[]): T;
  getAll<T extends any[] = any[], K = any>(key: K, targets: Target[]): T {
    return targets.map((target) => this.get(key, target)) as T;
  }

  /** Lists joined, objects merged, others as a list. */
  getAllAndMerge<Given = any, Kept = Given>(
    decorator: ReflectableDecorator<Given, Kept>,
    targets: Target[],
  ): Kept extends object ? Kept : Kept[];
  getAllAndMerge<T = any, K = any>(key: K, targets: Target[]): T;
  getAllAndMerge<T = any, K = any>(key: K, targets: Target[]): T {
    const found = this.getAll(key, targets).filter((one) => one !== undefined) as unknown[];
    if (found.length === 0) return found as T;
    if (found.length === 1) return (isObject(found[0]) ? found[0] : found) as T;
    return found.reduce((all, one) => {
      if (Array.isArray(all)) return all.concat(one) as unknown[];
      if (isObject(all) && isObject(one) && !Array.isArray(one)) return { ...all, ...one };
      return [all].concat(one);
    }) as T;
  }

  /** The first that there is: that of the method, else that of the class. */
  getAllAndOverride<Given = any, Kept = Given>(decorator: ReflectableDecorator<Given, Kept>, targets: Target[]): Kept;
  getAllAndOverride<T = any, K = any>(key: K, targets: Target[]): T;
  getAllAndOverride(key: Key, targets: Target[]): unknown {
    for (const target of targets) {
      const found: unknown = this.get(key, target);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
