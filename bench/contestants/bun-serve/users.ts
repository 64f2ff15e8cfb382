// The two bodies of `updateUser` as Zod schemas, with Zod's documented codec from ISO date-times to dates;
// Bun brings no validator. `server.ts` validates with them; nothing here touches a request or a reply.
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

type User = z.infer<typeof light> & Partial<z.infer<typeof heavy>>;

/** The user with the year of birth and, where there are orders, the year of the last one. */
export function describe(user: User) {
  const described = { ...user, birthYear: user.birthday.getUTCFullYear() };
  if (user.orders === undefined) return described;
  return { ...described, lastOrderYear: Math.max(...user.orders.map((order) => order.placedAt.getUTCFullYear())) };
}
