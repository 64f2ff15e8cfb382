// The two bodies of `updateUser` as Zod schemas; without a data transformer, dates are texts on their way, which Zod's
// codec revives. `server.mjs` validates with them; nothing here touches a request or a reply.
import * as z from 'zod';

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

const text = z.string().min(1).max(100);

export const light = z.object({
  id: z.int().min(1),
  name: text,
  email: z.email(),
  birthday: isoDate,
  active: z.boolean(),
});

export const heavy = light.extend({
  address: z.object({ street: text, city: text, zip: text, country: text }),
  tags: z.array(text).length(10),
  orders: z.array(z.object({ id: z.int(), total: z.number(), placedAt: isoDate })).length(8),
});

/** The user with the year of birth and, where there are orders, the year of the last one. */
export function describe(user) {
  const described = { ...user, birthYear: user.birthday.getUTCFullYear() };
  if (user.orders) described.lastOrderYear = Math.max(...user.orders.map((order) => order.placedAt.getUTCFullYear()));
  return described;
}
