// The two bodies of `updateUser` as schemas of Elysia's `t`, whose `t.Date` decodes ISO date-times to dates.
// `server.ts` validates with them; nothing here touches a request or a reply.
import { t } from 'elysia';

const text = t.String({ minLength: 1, maxLength: 100 });

export const light = t.Object({
  id: t.Integer({ minimum: 1 }),
  name: text,
  email: t.String({ format: 'email' }),
  birthday: t.Date(),
  active: t.Boolean(),
});

export const heavy = t.Object({
  ...light.properties,
  address: t.Object({ street: text, city: text, zip: text, country: text }),
  tags: t.Array(text, { minItems: 10, maxItems: 10 }),
  orders: t.Array(t.Object({ id: t.Integer(), total: t.Number(), placedAt: t.Date() }), { minItems: 8, maxItems: 8 }),
});

type User = typeof light.static & Partial<typeof heavy.static>;

/** The user with the year of birth and, where there are orders, the year of the last one. */
export function describe(user: User) {
  const described = { ...user, birthYear: user.birthday.getUTCFullYear() };
  if (user.orders === undefined) return described;
  return { ...described, lastOrderYear: Math.max(...user.orders.map((order) => order.placedAt.getUTCFullYear())) };
}
