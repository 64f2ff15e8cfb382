/** The API and the types of the programs `rpc-…` and `app-post-types`: compiled by `measure.cjs`, for the tree that is measured. */
import { rpc, mutation } from 'fulmar/rpc';
import { schema } from 'fulmar/types';

interface User {
  id: number;
  name: string;
  surname: string;
  lastUpdate: Date;
}

export const api = rpc({
  updateUser: mutation((c, user: User): User => {
    user.lastUpdate.setUTCMonth(user.lastUpdate.getUTCMonth() + 1);
    return user;
  }),
  double: mutation((c, value: number): number => value * 2),
});

export const user = schema<User>();
