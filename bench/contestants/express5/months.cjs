// The two bodies of `updateUser` a month later as Zod schemas, with Zod's documented codec from ISO date-times to dates.
// `server.cjs` validates with them; nothing here touches a request or a reply.
'use strict';
const z = require('zod');

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

const contact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email'), address: z.string() }),
  z.object({ kind: z.literal('phone'), country: z.number(), number: z.string() }),
  z.object({ kind: z.literal('post'), street: z.string(), city: z.string(), zip: z.string(), country: z.string() }),
]);

const payment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('card'), number: z.string(), expires: z.string() }),
  z.object({ kind: z.literal('transfer'), iban: z.string(), bank: z.string() }),
  z.object({ kind: z.literal('invoice'), days: z.number() }),
]);

const month = z.object({ id: z.number(), name: z.string(), surname: z.string(), lastUpdate: isoDate });

const union = month.extend({
  contact,
  orders: z.array(z.object({ id: z.number(), total: z.number(), placedAt: isoDate, payment })),
});

/** The user a month later. */
function addMonth(user) {
  user.lastUpdate.setUTCMonth(user.lastUpdate.getUTCMonth() + 1);
  return user;
}

module.exports = { month, union, addMonth };
