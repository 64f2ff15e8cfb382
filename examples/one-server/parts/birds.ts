/**
 * Typed routes: birds that were seen, as a plugin with schemas. The schemas check what comes, say what handlers get, and are
 * what the document of OpenAPI is made of.
 */
import { definePlugin, HttpError } from 'fulmar';
import { z } from 'zod';
import { signedIn } from '../lib/sessions.ts';

const newBird = z
  .object({ species: z.string().trim().min(2).max(80), count: z.number().int().min(1).max(100_000).default(1) })
  .meta({ id: 'NewBird' });
const bird = z.object({ id: z.number(), species: z.string(), count: z.number(), by: z.string() }).meta({ id: 'Bird' });
export type Bird = z.output<typeof bird>;

/** Beyond them the oldest goes: it is all in memory. */
const BIRDS_MAX = 1000;

class Birds {
  readonly #all: Bird[] = [
    { id: 1, species: 'Fulmar', count: 12, by: 'ada' },
    { id: 2, species: 'Atlantic puffin', count: 7, by: 'noor' },
  ];
  #lastId = 2;

  all(): readonly Bird[] {
    return this.#all;
  }

  find(id: number): Bird | undefined {
    return this.#all.find((one) => one.id === id);
  }

  add(seen: Omit<Bird, 'id'>): Bird {
    const added = { id: ++this.#lastId, ...seen };
    this.#all.push(added);
    if (this.#all.length > BIRDS_MAX) this.#all.shift();
    return added;
  }
}

export const birds = definePlugin({
  name: 'birds',
  encapsulate: false,
  decorators: { app: { birds: new Birds() } },
  setup(app) {
    app.group('/api/birds', (api) => {
      const query = z.object({ species: z.string().optional(), limit: z.coerce.number().int().min(1).max(100).default(20) });
      api.get('/', { query, response: z.array(bird), summary: 'Birds that were seen', tags: ['birds'] }, (c) => {
        const wanted = c.query.species?.toLowerCase() ?? '';
        return app.birds
          .all()
          .filter(({ species }) => species.toLowerCase().includes(wanted))
          .slice(-c.query.limit);
      });

      const params = z.object({ id: z.coerce.number().int() });
      api.get('/:id', { params, response: bird, summary: 'One of them', tags: ['birds'] }, (c) => {
        const found = app.birds.find(c.params.id);
        if (found === undefined) throw new HttpError(404, `No bird has the id ${c.params.id}.`);
        return found;
      });

      api.post('/', { body: newBird, response: { 201: bird }, summary: 'Adds one', tags: ['birds'] }, signedIn, (c) => {
        const added = app.birds.add({ ...c.body, by: String(c.state['user']) });
        // Whoever listens hears of it, by WebSocket or by server-sent events.
        app.publish('station', { kind: 'bird', ...added });
        return c.status(201).header('Location', `/api/birds/${added.id}`).json(added);
      });
    });
  },
});
