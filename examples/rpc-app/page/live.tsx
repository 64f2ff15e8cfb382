/** What others do, as it happens: a stream, for as long as this is shown. It begins again where it was broken off. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Sighting } from '../server/sighting.ts';
import { client, query } from './client.ts';

const SHOWN_MAX = 3;
const PAUSE_MS = 1000;

export function Live() {
  const [latest, setLatest] = useState<readonly Sighting[]>([]);
  const [isOn, setIsOn] = useState(false);
  const cache = useQueryClient();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const watch = async (): Promise<void> => {
      const stream = await client.with({ signal }).orThrow.query.sightings.watch();
      setIsOn(true);
      for await (const sighting of stream) {
        setLatest((before) => [sighting, ...before].slice(0, SHOWN_MAX));
        await cache.invalidateQueries({ queryKey: query.key.sightings.page() });
      }
    };
    const keepWatching = async (): Promise<void> => {
      while (!signal.aborted) {
        await watch().catch(() => {});
        setIsOn(false);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    void keepWatching();
    return () => controller.abort();
  }, [cache]);
  return (
    <section>
      <h2>
        Live <small id="live-state">{isOn ? 'connected' : 'not connected'}</small>
      </h2>
      <ol id="live">
        {latest.map(({ id, bird, by, confirmedBy }, at) => (
          <li key={`${id} ${at}`}>
            {bird}, {by}, {confirmedBy.length}
          </li>
        ))}
      </ol>
    </section>
  );
}
