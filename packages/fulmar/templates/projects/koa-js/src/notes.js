/** Notes, kept in memory: replace the map by a database. */
import { Router } from '@koa/router';
import { z } from 'zod';

const newNote = z.object({ title: z.string().trim().min(1).max(100), text: z.string().max(10_000).default('') });

/** What is in memory has a limit. */
const NOTES_MAX = 1000;

export function createNotes() {
  const notes = new Map();
  let lastId = 0;

  const find = (ctx, id) => {
    const note = notes.get(Number(id));
    return note ?? ctx.throw(404, `No note has the id ${id}.`);
  };

  const router = new Router({ prefix: '/notes' });
  router.get('/', (ctx) => {
    ctx.body = [...notes.values()];
  });
  router.get('/:id', (ctx) => {
    ctx.body = find(ctx, ctx.params['id']);
  });
  router.post('/', (ctx) => {
    if (notes.size >= NOTES_MAX) ctx.throw(507, `There is room for ${NOTES_MAX} notes. Remove some.`, { expose: true });
    const note = { id: ++lastId, ...newNote.parse(ctx.request.body) };
    notes.set(note.id, note);
    ctx.status = 201;
    ctx.set('Location', `/notes/${note.id}`);
    ctx.body = note;
  });
  router.delete('/:id', (ctx) => {
    notes.delete(find(ctx, ctx.params['id']).id);
    ctx.status = 204;
  });
  return router;
}
