/**
 * The list, page by page. Who confirms a sighting sees it at once; what the server says decides, and takes it back where it is
 * refused.
 */
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Sighting, SightingPage } from '../server/sighting.ts';
import { query } from './client.ts';
import type { Session } from './session.tsx';

const pages = query.infinite.sightings.page({ initialPageParam: 0, params: (after) => [after], getNextPageParam: (last) => last.next });
type Kept = InfiniteData<SightingPage>;

export function Sightings({ session }: { readonly session: Session | undefined }) {
  const { data, error, hasNextPage, fetchNextPage, isPending } = useInfiniteQuery(pages);
  const confirm = useConfirm(session?.name ?? '');
  if (isPending) return <p>…</p>;
  if (error !== null) return <p role="alert">{error.message}</p>;
  return (
    <>
      {confirm.error !== null && <p role="alert">{confirm.error.message}</p>}
      <ul id="sightings">
        {data.pages
          .flatMap(({ items }) => items)
          .map((one) => (
            <Row key={one.id} sighting={one} onConfirm={session === undefined ? undefined : () => confirm.mutate(one.id)} />
          ))}
      </ul>
      {hasNextPage && <button onClick={() => void fetchNextPage()}>More</button>}
    </>
  );
}

function useConfirm(name: string) {
  const cache = useQueryClient();
  const { queryKey } = pages;
  return useMutation({
    ...query.mutate.journal.confirm(),
    async onMutate(id) {
      await cache.cancelQueries({ queryKey });
      const before = cache.getQueryData<Kept>(queryKey);
      cache.setQueryData<Kept>(queryKey, (kept) => kept && confirmed(kept, id, name));
      return before;
    },
    onError: (_error, _id, before) => void cache.setQueryData(queryKey, before),
    onSettled: () => cache.invalidateQueries({ queryKey }),
  });
}

function confirmed(kept: Kept, id: number, name: string): Kept {
  const change = (one: Sighting): Sighting => (one.id === id ? { ...one, confirmedBy: [...one.confirmedBy, name] } : one);
  return { ...kept, pages: kept.pages.map((page) => ({ ...page, items: page.items.map(change) })) };
}

function Row({ sighting, onConfirm }: { readonly sighting: Sighting; readonly onConfirm: (() => void) | undefined }) {
  const { bird, count, seen, by, photo, confirmedBy } = sighting;
  return (
    <li>
      {photo !== undefined && <img src={`/photos/${photo}`} alt={bird} width="64" />} {count} × {bird}, {by},{' '}
      <time dateTime={seen.toISOString()}>{seen.getFullYear()}</time>{' '}
      <button onClick={onConfirm} disabled={onConfirm === undefined}>
        Confirm ({confirmedBy.length})
      </button>
    </li>
  );
}
