/** The list, and adding to it. */
import { HttpError } from 'fulmar';
import { defineRoute, type RouteContext } from 'fulmar/routes';
import { z } from 'zod';
import { add, list } from '../../../lib/logbook.ts';
import { signedIn } from '../../../lib/users.ts';

const COUNT_MAX = 100_000;
const NAME_LENGTH_MAX = 100;
const LIMIT_MAX = 100;

const sighting = z.object({ species: z.string().trim().min(1).max(NAME_LENGTH_MAX), count: z.number().int().min(1).max(COUNT_MAX) });

const wanted = z.object({ species: z.string().optional(), limit: z.coerce.number().int().min(1).max(LIMIT_MAX).optional() });

export default defineRoute({
  schema: { query: wanted, body: sighting },
  GET: (c: RouteContext<'/api/sightings', { query: z.infer<typeof wanted> }>) => list(c.query),
  async POST(c: RouteContext<'/api/sightings', { body: z.infer<typeof sighting> }>) {
    const user = await signedIn(c);
    if (user === undefined) throw new HttpError(401, 'Sign in to add what you have seen.');
    const added = add({ ...c.body, by: user.name });
    return c.status(201).header('Location', `/api/sightings/${added.id}`).json(added);
  },
});
