/**
 * The API: functions, whose types are those of its clients. They are compiled: what comes is checked by them, and of a
 * result what is declared is sent.
 */
import { mutation, query, rpc, rpcError } from 'fulmar/rpc';
import type { Int, MaxLength, NonEmpty } from 'fulmar/types';

export interface NewNote {
  title: string & NonEmpty & MaxLength<100>;
  text?: string & MaxLength<10_000>;
}

export interface Note extends NewNote {
  id: Int;
  written: Date;
}

/** Notes are kept in memory: replace the map by a database. What is in memory has a limit. */
const NOTES_MAX = 1000;

const noSuchNote = (id: Int) => rpcError({ type: 'no-such-note', status: 404, publicMessage: `No note has the id ${id}.`, data: { id } });
const isFull = () => rpcError({ type: 'full', status: 507, data: { max: NOTES_MAX } });

export function createApi() {
  const notes = new Map<number, Note>();
  let lastId = 0;

  return rpc({
    notes: {
      all: query((): Note[] => [...notes.values()]),
      get: query((_c, id: Int) => notes.get(id) ?? noSuchNote(id)),
      add: mutation((_c, note: NewNote) => {
        if (notes.size >= NOTES_MAX) return isFull();
        const added: Note = { ...note, id: ++lastId, written: new Date() };
        notes.set(added.id, added);
        return added;
      }),
      remove: mutation((_c, id: Int) => {
        if (!notes.delete(id)) return noSuchNote(id);
        return id;
      }),
    },
  });
}

/** For clients: `createClient<Api>('http://localhost:3000/api')`. */
export type Api = ReturnType<typeof createApi>;
