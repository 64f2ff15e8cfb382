/** Who has signed in. The token goes with every call from then on; it is gone with the page. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client, query } from './client.ts';

export interface Session {
  readonly name: string;
  readonly token: string;
}

export function SignIn({ onSession }: { readonly onSession: (session: Session) => void }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const open = useMutation(query.mutate.session.open((given: { name: string; password: string }) => [given.name, given.password]));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    open.mutate(
      { name, password },
      {
        onSuccess(token) {
          client.set('token', token);
          onSession({ name, token });
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <label>
        Name <input value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      <label>
        Password <input type="password" value={password} onChange={({ target }) => setPassword(target.value)} />
      </label>
      <button disabled={open.isPending}>Sign in</button>
      {open.error !== null && <p role="alert">{open.error.message}</p>}
    </form>
  );
}
