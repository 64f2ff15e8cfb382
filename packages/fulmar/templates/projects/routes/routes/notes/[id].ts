/** GET and DELETE /notes/:id. What returns nothing is 204. */
import type { RouteContext } from 'fulmar/routes';
import { findNote, removeNote } from '../../lib/notes.ts';

export const GET = (c: RouteContext<'/notes/[id]'>) => findNote(c.params.id);

export function DELETE(c: RouteContext<'/notes/[id]'>) {
  removeNote(c.params.id);
}
