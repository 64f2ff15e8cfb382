// The two bodies of `updateUser` a month later as schemas of Elysia's `t`, whose `t.Date` decodes ISO date-times to
// dates. `server.ts` validates with them; nothing here touches a request or a reply.
import { t } from 'elysia';

const contact = t.Union([
  t.Object({ kind: t.Literal('email'), address: t.String() }),
  t.Object({ kind: t.Literal('phone'), country: t.Number(), number: t.String() }),
  t.Object({ kind: t.Literal('post'), street: t.String(), city: t.String(), zip: t.String(), country: t.String() }),
]);

const payment = t.Union([
  t.Object({ kind: t.Literal('card'), number: t.String(), expires: t.String() }),
  t.Object({ kind: t.Literal('transfer'), iban: t.String(), bank: t.String() }),
  t.Object({ kind: t.Literal('invoice'), days: t.Number() }),
]);

export const month = t.Object({ id: t.Number(), name: t.String(), surname: t.String(), lastUpdate: t.Date() });

export const union = t.Object({
  ...month.properties,
  contact,
  orders: t.Array(t.Object({ id: t.Number(), total: t.Number(), placedAt: t.Date(), payment })),
});

/** The user a month later. */
export function addMonth<User extends typeof month.static>(user: User): User {
  user.lastUpdate.setUTCMonth(user.lastUpdate.getUTCMonth() + 1);
  return user;
}
