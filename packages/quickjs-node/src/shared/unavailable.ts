/**
 * What the QuickJS host does not have and what to do: members of Node's modules that exist, so that a package
 * that only looks at them loads, and throw when they are used.
 */
import { coded, type CodedError } from './errors.ts';

/** `ERR_FEATURE_UNAVAILABLE_ON_PLATFORM` */
export function unavailableError(what: string, advice = 'run the application on Node for it'): CodedError {
  return coded(TypeError, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', `${what} is not available on the native host: ${advice}`);
}

/** A function that throws that. */
export function unavailable(what: string, advice?: string): (...args: unknown[]) => never {
  const name = what.slice(what.lastIndexOf('.') + 1);
  return {
    [name]: (): never => {
      throw unavailableError(what, advice);
    },
  }[name] as () => never;
}

/** A class of which no instance can be made; `instanceof` works, and is false. */
export function unavailableClass(what: string, advice?: string): new (...args: unknown[]) => object {
  const name = what.slice(what.lastIndexOf('.') + 1);
  return {
    [name]: class {
      constructor() {
        throw unavailableError(what, advice);
      }
    },
  }[name] as new () => object;
}
