// The two bodies of `updateUser` as JSON schemas, and what they do not say: texts of dates become dates.
// Nothing here touches a request or a reply.
import { integer, object } from './schemas.mjs';

const text = { type: 'string', minLength: 1, maxLength: 100 };
const dateTime = { type: 'string', format: 'date-time' };

const listOf = (items, length) => ({ type: 'array', minItems: length, maxItems: length, items });
const optionsOf = (user, added) => ({ body: object(user), response: object({ ...user, ...added }) });

const lightUser = {
  id: { type: 'integer', minimum: 1 },
  name: text,
  email: { type: 'string', format: 'email' },
  birthday: dateTime,
  active: { type: 'boolean' },
};

const heavyUser = {
  ...lightUser,
  address: object({ street: text, city: text, zip: text, country: text }),
  tags: listOf(text, 10),
  orders: listOf(object({ id: integer, total: { type: 'number' }, placedAt: dateTime }), 8),
};

export const light = optionsOf(lightUser, { birthYear: integer });
export const heavy = optionsOf(heavyUser, { birthYear: integer, lastOrderYear: integer });

/** The validated body with its texts of dates replaced by dates. */
export function revive(body) {
  const user = { ...body, birthday: new Date(body.birthday) };
  if (body.orders) user.orders = body.orders.map((order) => ({ ...order, placedAt: new Date(order.placedAt) }));
  return user;
}

/** The user with the year of birth and, where there are orders, the year of the last one. */
export function describe(user) {
  const described = { ...user, birthYear: user.birthday.getUTCFullYear() };
  if (user.orders) described.lastOrderYear = Math.max(...user.orders.map((order) => order.placedAt.getUTCFullYear()));
  return described;
}
