/**
 * The API: functions, whose types are the schema of what they take and give. The page imports the type of `api` and nothing else of
 * the server.
 */
import { type AnyContext, HttpError } from 'fulmar';
import { type CallMiddleware, procedures, rpc, rpcError, scoped } from 'fulmar/rpc';
import type { Int, MaxLength } from 'fulmar/types';
import { nameOf, signIn } from './accounts.ts';
import type { NewSighting, Sighting, SightingPage } from './sighting.ts';
import { Store } from './store.ts';

const PAGE_SIZE = 5;

/** What procedures are given first. */
export interface Visit {
  readonly c: AnyContext;
  /** Who has signed in; empty before `signedIn` has looked. */
  name: string;
}

export const store = new Store();
const { query, mutation } = procedures<Visit>();

/** The value `token` is what the page has said by `client.set('token', …)`. */
const signedIn: CallMiddleware<Visit> = (call, next) => {
  const name = nameOf(call.values['token']);
  if (name === undefined) throw new HttpError(401, 'Sign in first.');
  call.context.name = name;
  return next();
};

export const api = rpc(
  {
    session: {
      open: mutation(
        (_visit, name: string & MaxLength<80>, password: string & MaxLength<200>) =>
          signIn(name, password) ?? rpcError({ type: 'wrong-password', status: 401, publicMessage: 'Name or password is wrong.' }),
      ),
    },
    sightings: {
      page: query((_visit, after: Int = 0): SightingPage => store.page(after, PAGE_SIZE)),
      watch: query((_visit): AsyncIterable<Sighting> => store.watch()),
    },
    journal: scoped(signedIn, {
      add: mutation((visit, sighting: NewSighting): Sighting => store.add(sighting, visit.name)),
      confirm: mutation((visit, id: Int) => {
        const sighting = store.find(id);
        if (sighting === undefined) return rpcError({ type: 'no-sighting', status: 404 });
        if (sighting.by === visit.name) return rpcError({ type: 'own-sighting', publicMessage: 'It is your own.', data: { id } });
        store.confirm(sighting, visit.name);
        return sighting.confirmedBy;
      }),
    }),
  },
  { context: (c): Visit => ({ c, name: '' }), types: true },
);
