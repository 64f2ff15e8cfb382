// The two bodies of `updateUser` as Joi schemas; Joi's ISO dates arrive as dates. `server.cjs` gives them to
// hapi's validation; nothing here touches a request or a reply.
'use strict';
const Joi = require('joi');

const text = Joi.string().min(1).max(100).required();
const isoDate = Joi.date().iso().required();

const light = Joi.object({
  id: Joi.number().integer().min(1).required(),
  name: text,
  email: Joi.string().email().required(),
  birthday: isoDate,
  active: Joi.boolean().required(),
});

const heavy = light.keys({
  address: Joi.object({ street: text, city: text, zip: text, country: text }).required(),
  tags: Joi.array().items(text).length(10).required(),
  orders: Joi.array()
    .items(Joi.object({ id: Joi.number().integer().required(), total: Joi.number().required(), placedAt: isoDate }))
    .length(8)
    .required(),
});

/** The user with the year of birth and, where there are orders, the year of the last one. */
function describe(user) {
  const described = { ...user, birthYear: user.birthday.getUTCFullYear() };
  if (user.orders) described.lastOrderYear = Math.max(...user.orders.map((order) => order.placedAt.getUTCFullYear()));
  return described;
}

module.exports = { light, heavy, describe };
