/**
 * An API as a list: every procedure with its names, its path, its middleware and its validators. Made once, at
 * the start, where everything that is wrong with it is told.
 */
import type { CompiledApi, Kind, ProcedureOptions, RpcOptions } from './api-types.ts';
import { isProcedure } from './procedure.ts';
import { type CallMiddleware, middlewareOf } from './scoped.ts';
import { type Validators, validatorsOf } from './validators.ts';

export interface Endpoint extends Validators {
  /** As in `users.get`. */
  readonly name: string;
  /** As in `/users/get`. */
  readonly path: string;
  readonly kind: Kind;
  readonly options: ProcedureOptions;
  readonly timeoutMs: number;
  readonly middleware: readonly CallMiddleware[];
  readonly run: (context: unknown, ...args: readonly unknown[]) => unknown;
}

/** Objects within objects; one that contains itself has no end. */
const DEPTH_MAX = 32;
const NAME = /^[A-Za-z_$][\w$-]*$/;
/** What objects of every kind have, and what would make a promise of a client. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', 'then']);

/** @throws TypeError for what is no procedure, a name that cannot be one, two procedures of one path */
export function endpointsOf(api: object, options: RpcOptions, compiled: CompiledApi): Map<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  const paths = new Map<string, string>();
  for (const { names, value, middleware } of leavesOf(api, [], middlewareOf(api))) {
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
  readonly middleware: readonly CallMiddleware[];
}

function* leavesOf(tree: object, names: readonly string[], middleware: readonly CallMiddleware[]): Generator<Leaf> {
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

interface Around {
  readonly options: RpcOptions;
  readonly compiled: CompiledApi;
  readonly middleware: readonly CallMiddleware[];
}

function endpointOf(names: readonly string[], value: unknown, { options: all, compiled, middleware }: Around): Endpoint {
  const name = names.join('.');
  const { kind, options, run } = isProcedure(value) ? value : { kind: 'mutation' as const, options: {}, run: value };
  const validators = validatorsOf({
    name,
    options,
    compiled: Object.hasOwn(compiled, name) ? compiled[name] : undefined,
    validateParams: options.validateParams ?? all.validateParams ?? true,
    validateReturn: options.validateReturn ?? all.validateReturn ?? true,
  });
  const timeoutMs = options.timeout ?? all.timeout ?? 0;
  return { name, path: pathOf(names, all), kind, options, timeoutMs, middleware, run: run as Endpoint['run'], ...validators };
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
