/**
 * A form for a new sighting. What is wrong with it is told beside the field that it is told of: by the types of the server, before
 * anything is sent. A photo goes ahead, to a route of its own.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { NewSighting } from '../server/sighting.ts';
import { query } from './client.ts';
import type { Session } from './session.tsx';

interface Draft {
  readonly bird: string;
  readonly count: string;
  readonly photo: File | undefined;
}

const empty: Draft = { bird: '', count: '1', photo: undefined };

export function AddSighting({ session }: { readonly session: Session }) {
  const [draft, setDraft] = useState(empty);
  const cache = useQueryClient();
  const add = useMutation(query.mutate.journal.add());
  const upload = useMutation({ mutationFn: (photo: File) => sendPhoto(photo, session.token) });
  const issues = add.error?.issues ?? [];
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { bird, count, photo } = draft;
    const sighting: NewSighting = { bird, count: Number(count), seen: new Date() };
    if (photo !== undefined) sighting.photo = await upload.mutateAsync(photo);
    await add.mutateAsync(sighting);
    setDraft(empty);
    await cache.invalidateQueries({ queryKey: query.key.sightings.page() });
  };
  const told = (name: keyof NewSighting): string | undefined => issues.find(({ path }) => path[1] === name)?.message;
  return (
    <form onSubmit={(event) => void submit(event).catch(() => {})}>
      <Field label="Bird" value={draft.bird} error={told('bird')} onValue={(bird) => setDraft({ ...draft, bird })} />
      <Field label="Count" value={draft.count} error={told('count')} onValue={(count) => setDraft({ ...draft, count })} />
      <label>
        Photo <input type="file" accept="image/*" onChange={({ target }) => setDraft({ ...draft, photo: target.files?.[0] })} />
      </label>
      <button disabled={add.isPending || upload.isPending}>Add</button>
      {add.error !== null && issues.length === 0 && <p role="alert">{add.error.message}</p>}
      {upload.error !== null && <p role="alert">{upload.error.message}</p>}
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onValue: (value: string) => void;
}

function Field({ label, value, error, onValue }: FieldProps) {
  return (
    <label>
      {label} <input value={value} aria-invalid={error !== undefined} onChange={({ target }) => onValue(target.value)} />
      {error !== undefined && <small role="alert">{error}</small>}
    </label>
  );
}

async function sendPhoto(photo: File, token: string): Promise<string> {
  const body = new FormData();
  body.append('photo', photo);
  const reply = await fetch('/photos', { method: 'POST', body, headers: { Authorization: `Bearer ${token}` } });
  const { id, detail } = (await reply.json()) as { id?: string; detail?: string };
  if (id === undefined) throw new Error(detail ?? `The photo was not taken: ${reply.status}.`);
  return id;
}
