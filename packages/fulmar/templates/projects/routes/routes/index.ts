/** GET / : a page. */
import type { RouteContext } from 'fulmar/routes';
import { allNotes } from '../lib/notes.ts';

export const GET = (c: RouteContext<'/'>) => c.html(`<!doctype html><title>Notes</title><h1>${allNotes().length} notes</h1>`);
