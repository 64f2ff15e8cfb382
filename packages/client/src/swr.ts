/**
 * `fulmar/client/swr`: calls of a client as what SWR's hooks take: a key, a function that asks, and settings. Imports nothing of it. SWR
 * has no signals: a call that nobody waits for any more runs to its end.
 */
import { fromWire, toWire } from '../../fulmar/src/shape/wire-hints.ts';
import type { ApiOf, ArgsOf, Client, IsStream, Maker, ResultOf, TreeOf } from './client-types.ts';
import { argsOf, type PartsOf, type Variable } from './adapter.ts';
import { callAt, type Names, tree } from './tree.ts';

/** The path of a procedure, and its parameters as they are sent. */
export type Key = readonly [path: string, params: string];

/** The client has asked again already. Of which type errors are SWR cannot be told: `CallError` of the client is theirs. */
interface Settings {
  readonly shouldRetryOnError: false;
}

type Arguments<Run> = readonly [key: Key, fetcher: (key: Key) => Promise<ResultOf<Run>>, settings: Settings];

interface QueryMaker extends Maker {
  readonly out: IsStream<this['run']> extends true
    ? 'is a stream, which SWR has no form for: use the client'
    : (...args: ArgsOf<this['run']>) => [...Arguments<this['run']>];
}

interface InfiniteMaker extends Maker {
  /** The parameters of the call for a page, of its number and the page before; `null`: there is none. */
  readonly out: (
    params: (index: number, previous: ResultOf<this['run']> | null) => ArgsOf<this['run']> | null,
  ) => [
    getKey: (index: number, previous: ResultOf<this['run']> | null) => Key | null,
    fetcher: (key: Key) => Promise<ResultOf<this['run']>>,
    settings: Settings,
  ];
}

interface Mutation<Value, Args extends readonly unknown[]> {
  (): Trigger<Value, Variable<Args>>;
  <Variables>(params: (variables: Variables) => Args): Trigger<Value, Variables>;
}

type Trigger<Value, Variables> = [key: string, fetcher: (key: string, options: { readonly arg: Variables }) => Promise<Value>];

interface MutationMaker extends Maker {
  readonly out: Mutation<ResultOf<this['run']>, ArgsOf<this['run']>>;
}

export interface Swr<Api> {
  /** `useSWR(...api.query.users.get(1))` */
  readonly query: TreeOf<Api, 'query', QueryMaker>;
  /** `useSWRInfinite(...api.infinite.users.page((index) => [index]))` */
  readonly infinite: TreeOf<Api, 'query', InfiniteMaker>;
  /** `useSWRMutation(...api.mutate.users.save())`, then `trigger(user)`; or `save((user: User) => [user.id, user])` */
  readonly mutate: TreeOf<Api, 'mutation', MutationMaker>;
  /** Keys of a part: `mutate(api.filter.users())`. Those of infinite queries are kept under names of SWR's own. */
  readonly filter: PartsOf<Api, (key: unknown) => boolean>;
}

const settings: Settings = { shouldRetryOnError: false };

export function swr<App>(client: Client<App>): Swr<ApiOf<App>> {
  const fetcher =
    (names: Names) =>
    async ([, params]: Key): Promise<unknown> => {
      const { json, as } = JSON.parse(params) as { json: unknown; as?: unknown };
      return callAt(client.orThrow.query, names, fromWire(json, as) as readonly unknown[]);
    };
  const query = (names: Names, args: readonly unknown[]): unknown => [keyOf(names, args), fetcher(names), settings];
  const infinite = (names: Names, [params]: readonly unknown[]): unknown => {
    const getKey = (index: number, previous: unknown): Key | null => {
      const args = (params as (index: number, previous: unknown) => readonly unknown[] | null)(index, previous);
      return args === null ? null : keyOf(names, args);
    };
    return [getKey, fetcher(names), settings];
  };
  const mutate = (names: Names, [params]: readonly unknown[]): unknown => [
    names.join('.'),
    (_key: string, { arg }: { readonly arg: unknown }) => callAt(client.orThrow.mutate, names, argsOf(params, arg)),
  ];
  const filter = (names: Names): unknown => {
    const path = names.join('.');
    return (key: unknown) => Array.isArray(key) && (path === '' || key[0] === path || String(key[0]).startsWith(`${path}.`));
  };
  return { query: tree(query), infinite: tree(infinite), mutate: tree(mutate), filter: tree(filter) } as unknown as Swr<ApiOf<App>>;
}

const keyOf = (names: Names, args: readonly unknown[]): Key => [names.join('.'), JSON.stringify(toWire(args))];
