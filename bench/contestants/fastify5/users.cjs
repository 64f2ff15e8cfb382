// The two bodies of `updateUser` as JSON schemas for Fastify's validator (Ajv) and serialiser, and what
// neither does: revive the dates. Nothing here touches a request or a reply.
'use strict';

const text = { type: 'string', minLength: 1, maxLength: 100 };
const integer = { type: 'integer' };
const dateTime = { type: 'string', format: 'date-time' };

const object = (properties) => ({ type: 'object', required: Object.keys(properties), properties });
const list = (items, length) => ({ type: 'array', minItems: length, maxItems: length, items });
const schemaOf = (user, added) => ({ body: object(user), response: { 200: object({ ...user, ...added }) } });

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
  tags: list(text, 10),
  orders: list(object({ id: integer, total: { type: 'number' }, placedAt: dateTime }), 8),
};

const light = schemaOf(lightUser, { birthYear: integer });
const heavy = schemaOf(heavyUser, { birthYear: integer, lastOrderYear: integer });

/** The validated body with its texts of dates replaced by dates. */
function revive(body) {
  const user = { ...body, birthday: new Date(body.birthday) };
  if (body.orders) user.orders = body.orders.map((order) => ({ ...order, placedAt: new Date(order.placedAt) }));
  return user;
}

/** The user with the year of birth and, where there are orders, the year of the last one. */
function describe(user) {
  const described = { ...user, birthYear: user.birthday.getUTCFullYear() };
  if (user.orders) described.lastOrderYear = Math.max(...user.orders.map((order) => order.placedAt.getUTCFullYear()));
  return described;
}

module.exports = { light, heavy, revive, describe };
