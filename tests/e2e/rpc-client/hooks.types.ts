/** What the type checker knows of values and errors in hooks of TanStack Query and SWR. Never run, checked with the sources. */
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { CallError, Client } from 'fulmar/client';
import { swr } from 'fulmar/client/swr';
import { tanstack } from 'fulmar/client/tanstack';
import useSWR from 'swr';
import useSWRInfinite from 'swr/infinite';
import useSWRMutation from 'swr/mutation';
import type { Bird, Station } from './api.ts';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
declare function same<One, Other>(is: Same<One, Other>): void;
declare const client: Client<Station['api']>;

const query = tanstack(client);
const hooks = swr(client);
interface Page {
  birds: string[];
  next: number | null;
}

export function useTanstack(): void {
  const { data, error } = useQuery(query.query.birds.get(1));
  same<typeof data, Bird | undefined>(true);
  if (error?.type === 'no-bird') same<typeof error.data, { id: number }>(true);
  const suspended = useSuspenseQuery(query.query.birds.get(1));
  same<typeof suspended.data, Bird>(true);
  const nothing = useQuery(query.query.nothing());
  same<typeof nothing.data, null | undefined>(true);
  const names = useQuery({ ...query.query.birds.get(1), select: (bird) => bird.name });
  same<typeof names.data, string | undefined>(true);
  const pages = useInfiniteQuery(
    query.infinite.birds.page({ initialPageParam: 0, params: (at) => [at, 'name'], getNextPageParam: (last) => last.next }),
  );
  same<typeof pages.data, InfiniteData<Page> | undefined>(true);
  const add = useMutation(query.mutate.birds.add());
  add.mutate('auk', { onSuccess: (count) => same<typeof count, number>(true) });
  const rename = useMutation({
    ...query.mutate.birds.rename((bird: Bird) => [bird.id, bird.name]),
    onError: (failure, bird) => {
      same<typeof bird, Bird>(true);
      if (failure.type === 'no-name') same<typeof failure.data, { id: number }>(true);
    },
  });
  // @ts-expect-error the variable is a text
  add.mutate(1);
  // @ts-expect-error the variable is a bird
  rename.mutate('auk');
  // @ts-expect-error two parameters need a function that gives them
  useMutation(query.mutate.birds.rename()).mutate(1);
  // @ts-expect-error a parameter of another type
  query.query.birds.get('1');
  // @ts-expect-error a stream is no value
  query.query.count(1);
  // @ts-expect-error a value is no stream
  query.stream.birds.get(1);
  // @ts-expect-error parameters of a page
  query.infinite.birds.page({ initialPageParam: 0, params: (at: number) => [at], getNextPageParam: () => null });
}

export function useSwr(): void {
  const { data } = useSWR(...hooks.query.birds.get(1));
  same<typeof data, Bird | undefined>(true);
  const { error } = useSWR<Bird, CallError<typeof client.query.birds.get>>(...hooks.query.birds.get(1));
  if (error?.type === 'no-bird') same<typeof error.data, { id: number }>(true);
  const pages = useSWRInfinite(...hooks.infinite.birds.page((index, last) => (last?.next === null ? null : [index, 'name'])));
  same<typeof pages.data, Page[] | undefined>(true);
  const add = useSWRMutation(...hooks.mutate.birds.add());
  void add.trigger('auk');
  const rename = useSWRMutation(...hooks.mutate.birds.rename((bird: Bird) => [bird.id, bird.name]));
  // @ts-expect-error the variable is a bird
  void rename.trigger('auk');
  // @ts-expect-error a parameter of another type
  hooks.query.birds.get('1');
  // @ts-expect-error a stream is no value
  hooks.query.count(1);
}
