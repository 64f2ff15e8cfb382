/** GET and POST /notes. The schema is for requests with content: what does not fit is refused with 422. */
import type { RouteContext } from 'fulmar/routes';
import { addNote, allNotes, type NewNote, newNote } from '../../lib/notes.ts';

export const config = { schema: { body: newNote } };

export const GET = () => allNotes();

export function POST(c: RouteContext<'/notes', { body: NewNote }>) {
  const note = addNote(c.body);
  return c.status(201).header('Location', `/notes/${note.id}`).json(note);
}
