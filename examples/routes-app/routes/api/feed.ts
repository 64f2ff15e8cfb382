/** What is seen from now on, as server-sent events. */
import { on } from 'node:events';
import type { RouteContext } from 'fulmar/routes';
import { changes, type Sighting } from '../../lib/logbook.ts';

export const GET = (c: RouteContext<'/api/feed'>) =>
  c.sse(async ({ send, signal }) => {
    await send({ event: 'ready', data: '' });
    try {
      for await (const [sighting] of on(changes, 'sighting', { signal }) as AsyncIterable<[Sighting]>) {
        await send({ event: 'sighting', id: String(sighting.id), data: sighting });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
