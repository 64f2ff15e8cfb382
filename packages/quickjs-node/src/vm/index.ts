/**
 * `node:vm`: scripts that run in the application's own context. Other contexts are not available: QuickJS
 * would need a second set of globals for each.
 */
import { coded, invalidArgType } from '../shared/errors.ts';
import { unavailable, unavailableError } from '../shared/unavailable.ts';
import { validateString } from '../shared/validators.ts';

const advice = 'only the context of the application itself is (runInThisContext)';

/** Evaluates in the global scope. */
const evaluate = Reflect.get(globalThis, 'eval') as (code: string) => unknown;

class Script {
  readonly #code: string;
  sourceMapURL: string | undefined;

  constructor(code: unknown, _options?: unknown) {
    this.#code = `${code as string}`;
    // What does not parse is refused here, as in Node, and not when it runs.
    parse(this.#code);
  }

  runInThisContext(_options?: unknown): unknown {
    return evaluate(this.#code);
  }

  runInContext(context: unknown, _options?: unknown): unknown {
    return runInContext(this.#code, context);
  }

  runInNewContext(): never {
    throw unavailableError('vm.Script.runInNewContext', advice);
  }

  createCachedData(): Buffer {
    return Buffer.alloc(0);
  }
}

/**
 * Functions compile their body without running it; a script's top level allows less than a function's body,
 * but never more that matters.
 */
function parse(code: string): void {
  makeFunction([], code.startsWith('#!') ? `//${code}` : code);
}

function makeFunction(params: readonly string[], code: string): unknown {
  return Reflect.construct(Function, [...params, code]);
}

function runInContext(_code: unknown, context: unknown): never {
  if (typeof context !== 'object' || context === null) throw invalidArgType('object', 'Object', context);
  throw coded(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    `The "contextifiedObject" argument must be an vm.Context. Received an instance of ${context.constructor?.name ?? 'Object'}`,
  );
}

function runInThisContext(code: unknown, options?: unknown): unknown {
  return new Script(code, options).runInThisContext();
}

function compileFunction(code: unknown, params: unknown = [], _options?: unknown): unknown {
  validateString(code, 'code');
  if (!Array.isArray(params)) throw invalidArgType('params', 'Array', params);
  return makeFunction(params as string[], code as string);
}

function isContext(object: unknown): boolean {
  if (typeof object !== 'object' || object === null) throw invalidArgType('object', 'Object', object);
  return false;
}

export default {
  Script,
  createScript: (code: unknown, options?: unknown): Script => new Script(code, options),
  runInThisContext,
  runInContext,
  compileFunction,
  isContext,
  createContext: unavailable('vm.createContext', advice),
  runInNewContext: unavailable('vm.runInNewContext', advice),
  measureMemory: unavailable('vm.measureMemory', 'process.memoryUsage() tells what there is'),
  constants: Object.freeze({
    __proto__: null,
    USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default'),
    DONT_CONTEXTIFY: Symbol('vm_context_no_contextify'),
  }),
};
