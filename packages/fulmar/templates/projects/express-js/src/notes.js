/** Notes, kept in memory: replace the map by a database. */
import { Router } from 'express';
import { z } from 'zod';
import { HttpError } from './errors.js';

const newNote = z.object({ title: z.string().trim().min(1).max(100), text: z.string().max(10_000).default('') });

/** What is in memory has a limit. */
const NOTES_MAX = 1000;

export function createNotes() {
  const notes = new Map();
  let lastId = 0;

  const find = (id) => {
    const note = notes.get(Number(id));
    if (note === undefined) throw new HttpError(404, `No note has the id ${id}.`);
    return note;
  };

  const router = Router();
  router.get('/', (_req, res) => void res.json([...notes.values()]));
  router.get('/:id', (req, res) => void res.json(find(req.params.id)));
  router.post('/', (req, res) => {
    if (notes.size >= NOTES_MAX) throw new HttpError(507, `There is room for ${NOTES_MAX} notes. Remove some.`);
    const note = { id: ++lastId, ...newNote.parse(req.body) };
    notes.set(note.id, note);
    res.status(201).location(`/notes/${note.id}`).json(note);
  });
  router.delete('/:id', (req, res) => {
    notes.delete(find(req.params.id).id);
    res.status(204).end();
  });
  return router;
}
