/** For those who may: everybody else is told so. */
import { HttpError, type Middleware } from 'fulmar';
import { signedIn } from '../../lib/users.ts';

const admins: Middleware = async (c, next) => {
  const user = await signedIn(c);
  if (user === undefined) return c.redirect('/account', 303);
  if (!user.isAdmin) throw new HttpError(403, 'This is for those who keep the logbook.');
  return next();
};

export default admins;
