// JSON schemas of bodies and replies, those that Fastify's contestant has. Nothing here touches a request or a
// reply.

export const text = { type: 'string' };
export const integer = { type: 'integer' };
const number = { type: 'number' };
const dateTime = { type: 'string', format: 'date-time' };

export const object = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
export const list = (items) => ({ type: 'array', items });

export const person = object({ name: text, email: text, age: integer });
export const listed = list(object({ id: integer, name: text, createdAt: dateTime }));
export const inserted = object({ name: text, category: integer, price: number });

/** One row of `items`. */
export const item = object({
  id: integer,
  name: text,
  description: text,
  category: integer,
  price: number,
  quantity: integer,
  rating: number,
  active: { type: 'boolean' },
  sku: text,
  color: text,
  created_at: dateTime,
  updated_at: dateTime,
});
