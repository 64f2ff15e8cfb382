/** The client of the API, and what it is for TanStack Query. Of the server nothing is imported but a type. */
import { createClient } from 'fulmar/client';
import { tanstack } from 'fulmar/client/tanstack';
import { typeErrors } from 'fulmar/client/type-errors';
import type { api } from '../server/api.ts';

const URL_OF_API = '/api';

const types = typeErrors<typeof api>(`${URL_OF_API}/~types`);

/** What does not fit is told before it is sent. */
export const client = createClient<typeof api>(URL_OF_API, { check: types.check });
export const query = tanstack(client);
