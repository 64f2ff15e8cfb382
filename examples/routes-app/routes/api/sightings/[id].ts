/** One of the list. */
import { HttpError } from 'fulmar';
import type { RouteContext } from 'fulmar/routes';
import { find, remove } from '../../../lib/logbook.ts';
import { signedIn } from '../../../lib/users.ts';

function found(c: RouteContext<'/api/sightings/[id]'>) {
  const one = find(Number(c.params.id));
  if (one === undefined) throw new HttpError(404, `There is no sighting ${c.params.id}.`);
  return one;
}

export const GET = found;

export async function DELETE(c: RouteContext<'/api/sightings/[id]'>) {
  const { id, by } = found(c);
  const user = await signedIn(c);
  if (user === undefined) throw new HttpError(401, 'Sign in to take a sighting out.');
  if (user.name !== by && !user.isAdmin) throw new HttpError(403, `This is ${by}'s.`);
  remove(id);
}
