/**
 * Notes, kept in memory: replace the map by a database. The schemas check what comes and what goes, give handlers their
 * types, and are what the document of OpenAPI is made of.
 */
import { definePlugin, HttpError } from 'fulmar';
import { z } from 'zod';

const newNote = z.object({ title: z.string().trim().min(1).max(100), text: z.string().max(10_000).default('') }).meta({ id: 'NewNote' });
const note = newNote.extend({ id: z.number().int() }).meta({ id: 'Note' });
const params = z.object({ id: z.coerce.number().int() });
const tags = ['notes'];

type Note = z.output<typeof note>;

/** What is in memory has a limit. */
const NOTES_MAX = 1000;

export const notes = definePlugin({
  name: 'notes',
  setup(app) {
    const all = new Map<number, Note>();
    let lastId = 0;

    const find = (id: number): Note => {
      const found = all.get(id);
      if (found === undefined) throw new HttpError(404, `No note has the id ${id}.`);
      return found;
    };

    app.get('/', { response: z.array(note), summary: 'All notes', tags }, () => [...all.values()]);
    app.get('/:id', { params, response: note, summary: 'One note', tags }, (c) => find(c.params.id));
    app.post('/', { body: newNote, response: { 201: note }, summary: 'Adds a note', tags }, (c) => {
      if (all.size >= NOTES_MAX) throw new HttpError(507, `There is room for ${NOTES_MAX} notes. Remove some.`);
      const made = { id: ++lastId, ...c.body };
      all.set(made.id, made);
      return c.status(201).header('Location', `/notes/${made.id}`).json(made);
    });
    app.delete('/:id', { params, summary: 'Removes a note', tags }, (c) => {
      all.delete(find(c.params.id).id);
    });
  },
});
