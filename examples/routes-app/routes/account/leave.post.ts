/** Signing out. */
import type { RouteContext } from 'fulmar/routes';
import { sessions } from '../../lib/users.ts';

export default async (c: RouteContext<'/account/leave'>) => {
  await (await sessions.of(c)).destroy();
  return c.redirect('/', 303);
};
