/**
 * `fulmar/client/tanstack`: calls of a client as options of TanStack Query, for whichever framework it is used with. Imports nothing of
 * it; what is kept, asked again and shown is its business.
 */
import { toWire } from '../../fulmar/src/shape/wire-hints.ts';
import type { ApiOf, ArgsOf, Client, ErrorOf, IsStream, Maker, ResultOf, TreeOf } from './client-types.ts';
import { argsOf, type PartsOf, type Variable } from './adapter.ts';
import { callAt, type Names, tree } from './tree.ts';

/** What a query's function is given, as far as it is used. */
interface Context {
  readonly signal: AbortSignal;
}

export type QueryKey = readonly (string | { readonly [member: string]: unknown })[];

/** TanStack Query takes no `undefined` for a value. */
type Kept<Value> = undefined extends Value ? Exclude<Value, undefined | void> | null : Value;

/** Never: the client has asked again already, and what a server refuses stays refused. It tells of which type errors are. */
type Retry<Failure> = (failureCount: number, error: Failure) => boolean;

export interface QueryOptions<Value, Failure> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: Context) => Promise<Value>;
  readonly retry: Retry<Failure>;
}

export interface StreamOptions<Item> {
  readonly queryKey: QueryKey;
  /** For their `experimental_streamedQuery({ streamFn })`. */
  readonly streamFn: (context: Context) => Promise<AsyncIterable<Item>>;
}

export interface MutationOptions<Value, Failure, Variables> {
  readonly mutationKey: readonly string[];
  readonly mutationFn: (variables: Variables) => Promise<Value>;
  readonly retry: Retry<Failure>;
}

interface Pages<Args, Value, Param> {
  readonly initialPageParam: Param;
  /** The parameters of the call for one page. */
  readonly params: (pageParam: Param) => Args;
  readonly getNextPageParam: (last: Value, all: Value[], lastParam: Param, allParams: Param[]) => Param | undefined | null;
}

export interface InfiniteOptions<Value, Failure, Param> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: Context & { readonly pageParam: Param }) => Promise<Value>;
  readonly initialPageParam: Param;
  readonly getNextPageParam: Pages<unknown, Value, Param>['getNextPageParam'];
  readonly retry: Retry<Failure>;
}

interface QueryMaker extends Maker {
  readonly out: IsStream<this['run']> extends true
    ? 'is a stream: use .stream'
    : (...args: ArgsOf<this['run']>) => QueryOptions<Kept<ResultOf<this['run']>>, ErrorOf<this['run']>>;
}

interface StreamMaker extends Maker {
  readonly out: ResultOf<this['run']> extends AsyncIterable<infer Item>
    ? (...args: ArgsOf<this['run']>) => StreamOptions<Item>
    : 'is no stream: use .query';
}

interface InfiniteMaker extends Maker {
  readonly out: <Param>(
    pages: Pages<ArgsOf<this['run']>, ResultOf<this['run']>, Param>,
  ) => InfiniteOptions<ResultOf<this['run']>, ErrorOf<this['run']>, Param>;
}

interface Mutation<Value, Failure, Args extends readonly unknown[]> {
  (): MutationOptions<Value, Failure, Variable<Args>>;
  <Variables>(params: (variables: Variables) => Args): MutationOptions<Value, Failure, Variables>;
}

interface MutationMaker extends Maker {
  readonly out: Mutation<ResultOf<this['run']>, ErrorOf<this['run']>, ArgsOf<this['run']>>;
}

export interface Tanstack<Api> {
  /** `useQuery(api.query.users.get(1))` */
  readonly query: TreeOf<Api, 'query', QueryMaker>;
  /** `useInfiniteQuery(api.infinite.users.page({ initialPageParam: 0, params: (at) => [at], getNextPageParam: (last) => last.next }))` */
  readonly infinite: TreeOf<Api, 'query', InfiniteMaker>;
  /** `useQuery({ queryKey, queryFn: experimental_streamedQuery({ streamFn }) })` */
  readonly stream: TreeOf<Api, 'query', StreamMaker>;
  /** `useMutation(api.mutate.users.save())`, or `save((user: User) => [user.id, user])` */
  readonly mutate: TreeOf<Api, 'mutation', MutationMaker>;
  /** What the keys of a part begin with: `queryClient.invalidateQueries({ queryKey: api.key.users() })`. */
  readonly key: PartsOf<Api, readonly string[]>;
}

const retry = (): boolean => false;

export function tanstack<App>(client: Client<App>): Tanstack<ApiOf<App>> {
  const ask = (names: Names, args: readonly unknown[], signal: AbortSignal): Promise<unknown> =>
    callAt(client.with({ signal }).orThrow.query, names, args);
  const query = (names: Names, args: readonly unknown[]): object => ({
    queryKey: keyOf(names, 'params', args),
    queryFn: async ({ signal }: Context) => (await ask(names, args, signal)) ?? null,
    retry,
  });
  const stream = (names: Names, args: readonly unknown[]): object => ({
    queryKey: keyOf(names, 'params', args),
    streamFn: ({ signal }: Context) => ask(names, args, signal),
  });
  const infinite = (names: Names, [given]: readonly unknown[]): object => {
    const { params, ...pages } = given as Pages<readonly unknown[], unknown, unknown>;
    return {
      ...pages,
      queryKey: keyOf(names, 'pages', params(pages.initialPageParam)),
      queryFn: ({ signal, pageParam }: Context & { readonly pageParam: unknown }) => ask(names, params(pageParam), signal),
      retry,
    };
  };
  const mutate = (names: Names, [params]: readonly unknown[]): object => ({
    mutationKey: names,
    mutationFn: (variables: unknown) => callAt(client.orThrow.mutate, names, argsOf(params, variables)),
    retry,
  });
  const key = (names: Names): Names => names;
  return {
    query: tree(query),
    infinite: tree(infinite),
    stream: tree(stream),
    mutate: tree(mutate),
    key: tree(key),
  } as unknown as Tanstack<ApiOf<App>>;
}

/** Keys are compared as JSON: parameters stand in them as they are sent. */
function keyOf(names: Names, kind: 'params' | 'pages', args: readonly unknown[]): QueryKey {
  const { json, as } = toWire(args);
  return [...names, as === undefined ? { [kind]: json } : { [kind]: json, as }];
}
