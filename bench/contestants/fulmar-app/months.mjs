// The two bodies of `updateUser` a month later as JSON schemas, and what they do not say: texts of dates become dates.
// Nothing here touches a request or a reply.
const text = { type: 'string' };
const number = { type: 'number' };
const dateTime = { type: 'string', format: 'date-time' };
const kind = (value) => ({ type: 'string', const: value });
const object = (properties) => ({ type: 'object', required: Object.keys(properties), properties });

const contact = {
  anyOf: [
    object({ kind: kind('email'), address: text }),
    object({ kind: kind('phone'), country: number, number: text }),
    object({ kind: kind('post'), street: text, city: text, zip: text, country: text }),
  ],
};

const payment = {
  anyOf: [
    object({ kind: kind('card'), number: text, expires: text }),
    object({ kind: kind('transfer'), iban: text, bank: text }),
    object({ kind: kind('invoice'), days: number }),
  ],
};

const plain = { id: number, name: text, surname: text, lastUpdate: dateTime };
const whole = { ...plain, contact, orders: { type: 'array', items: object({ id: number, total: number, placedAt: dateTime, payment }) } };

export const month = { body: object(plain), response: object(plain) };
export const union = { body: object(whole), response: object(whole) };

/** The user of a validated body, with its dates, a month later. */
export function addMonth(body) {
  const lastUpdate = new Date(body.lastUpdate);
  lastUpdate.setUTCMonth(lastUpdate.getUTCMonth() + 1);
  const user = { ...body, lastUpdate };
  if (body.orders) user.orders = body.orders.map((order) => ({ ...order, placedAt: new Date(order.placedAt) }));
  return user;
}
