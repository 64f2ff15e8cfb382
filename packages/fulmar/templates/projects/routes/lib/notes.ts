/** Notes, kept in memory: replace the map by a database. */
import { HttpError } from 'fulmar';
import { z } from 'zod';

export const newNote = z.object({ title: z.string().trim().min(1).max(100), text: z.string().max(10_000).default('') });

export type NewNote = z.output<typeof newNote>;
export type Note = NewNote & { readonly id: number };

/** What is in memory has a limit. */
const NOTES_MAX = 1000;

const notes = new Map<number, Note>();
let lastId = 0;

export const allNotes = (): Note[] => [...notes.values()];

export function findNote(id: string): Note {
  const found = notes.get(Number(id));
  if (found === undefined) throw new HttpError(404, `No note has the id ${id}.`);
  return found;
}

export function addNote(given: NewNote): Note {
  if (notes.size >= NOTES_MAX) throw new HttpError(507, `There is room for ${NOTES_MAX} notes. Remove some.`);
  const note = { id: ++lastId, ...given };
  notes.set(note.id, note);
  return note;
}

export function removeNote(id: string): void {
  notes.delete(findNote(id).id);
}
