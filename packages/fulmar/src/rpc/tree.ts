/**
 * An API as a list: every procedure with its names, its path, its middleware and its validators. Made once, at
 * the start, where everything that is wrong with it is told.
 */
import type { CompiledApi, Kind, ProcedureOptions, RpcOptions } from './api-types.ts';
import { isProcedure } from './procedure.ts';
import { isAlways, type Layer, middlewareOf } from './scoped.ts';
import { type Validators, validatorsOf } from './validators.ts';

export interface Endpoint extends Validators {
  /** As in `users.get`. */
  readonly name: string;
  /** As in `/users/get`. */
  readonly path: string;
  readonly kind: Kind;
  readonly options: ProcedureOptions;
  readonly timeoutMs: number;
  /** In the order in which they are met: those of the API, of its parts, of the procedure. */
  readonly middleware: readonly Layer[];
  /** Those that stand around judging parameters as well. */
  readonly always: readonly Layer[];
  readonly run: (context: unknown, ...args: readonly unknown[]) => unknown;
}

/** Objects within objects; one that contains itself has no end. */
const DEPTH_MAX = 32;
const NAME = /^[A-Za-z_$][\w$-]*$/;
/** What objects of every kind have, and what would make a promise of a client. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', 'then']);

/** @throws TypeError for what is no procedure, a name that cannot be one, two procedures of one path */
export function endpointsOf(api: object, { options, compiled, middleware: outermost }: Around): Map<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  const paths = new Map<string, string>();
  for (const { names, value, middleware } of leavesOf(api, [], [...outermost, ...middlewareOf(api)])) {
    const endpoint = endpointOf(names, value, { options, compiled, middleware });
    const { name, path } = endpoint;
    const other = paths.get(path);
    if (other !== undefined) throw new TypeError(`rpc(): ${other} and ${name} have one path, ${path}.`);
    paths.set(path, name);
    endpoints.set(name, endpoint);
  }
  if (endpoints.size === 0)
    throw new TypeError('rpc() takes an object of procedures, and this has none: { users: { get: query((c, id: number) => …) } }.');
  return endpoints;
}

interface Leaf {
  readonly names: readonly string[];
  readonly value: unknown;
  readonly middleware: readonly Layer[];
}

function* leavesOf(tree: object, names: readonly string[], middleware: readonly Layer[]): Generator<Leaf> {
  if (names.length > DEPTH_MAX) throw new TypeError(`rpc(): ${names.slice(0, 3).join('.')}… is nested deeper than ${DEPTH_MAX} levels.`);
  for (const [name, value] of Object.entries(tree)) {
    const path = [...names, name];
    if (!NAME.test(name) || FORBIDDEN.has(name))
      throw new TypeError(`rpc(): ${path.join('.')} cannot be a name of an API: letters, digits, _ and - are.`);
    if (typeof value === 'function' || isProcedure(value)) yield { names: path, value, middleware };
    else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      yield* leavesOf(value as object, path, [...middleware, ...middlewareOf(value as object)]);
    else
      throw new TypeError(
        `rpc(): ${path.join('.')} is a procedure or an object of procedures, and this is of type ${value === null ? 'null' : typeof value}.`,
      );
  }
}

export interface Around {
  readonly options: RpcOptions;
  readonly compiled: CompiledApi;
  readonly middleware: readonly Layer[];
}

function endpointOf(names: readonly string[], value: unknown, { options: all, compiled, middleware }: Around): Endpoint {
  const name = names.join('.');
  const alone = { kind: 'mutation' as const, options: {} as ProcedureOptions, run: value, middleware: [] };
  const { kind, options, run, middleware: own } = isProcedure(value) ? value : alone;
  const validators = validatorsOf({
    name,
    options,
    compiled: Object.hasOwn(compiled, name) ? compiled[name] : undefined,
    validateParams: options.validateParams ?? all.validateParams ?? true,
    validateReturn: options.validateReturn ?? all.validateReturn ?? true,
    strictTypes: strictOf(name, options, all),
    serializer: options.serializer ?? all.serializer,
  });
  const timeoutMs = options.timeout ?? all.timeout ?? 0;
  const layers = [...middleware, ...own];
  return {
    name,
    path: pathOf(names, all),
    kind,
    options,
    timeoutMs,
    middleware: layers.filter((one) => !isAlways(one)),
    always: layers.filter(isAlways),
    run: run as Endpoint['run'],
    ...validators,
  };
}

/** Schemas say themselves what they take. @throws TypeError where both are said of one procedure */
function strictOf(name: string, { strictTypes, params, validateParams }: ProcedureOptions, all: RpcOptions): boolean {
  const hasNoTypes = params !== undefined || (validateParams ?? all.validateParams) === false;
  if (strictTypes === true && hasNoTypes)
    throw new TypeError(
      `rpc(): strictTypes of ${name} is for types that the compiler reads, and its parameters are ${params === undefined ? 'not validated' : 'given as schemas: say it there (additionalProperties: false, z.strictObject)'}.`,
    );
  return !hasNoTypes && (strictTypes ?? all.strictTypes ?? false);
}

/** @throws TypeError for what a transform gives that is no path */
function pathOf(names: readonly string[], { basePath = '', suffix = '', pathTransform }: RpcOptions): string {
  const own: unknown = pathTransform === undefined ? names.join('/') : pathTransform(names);
  if (typeof own !== 'string' || !/^\/?[^\s/?#:*~][^\s?#:*]*$/.test(own))
    throw new TypeError(
      `rpc(): pathTransform gives a path, as in users/get, and this is ${JSON.stringify(own) ?? typeof own} for ${names.join('.')}.`,
    );
  return `${basePath}/${own.replace(/^\//, '')}${suffix}`;
}
