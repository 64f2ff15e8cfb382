// The JSON schema of one row of `items`, by which Fastify serialises the reply of `db-read`. It never looks
// at a row itself.
'use strict';

const text = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const dateTime = { type: 'string', format: 'date-time' };

const item = {
  type: 'object',
  properties: {
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
  },
};

module.exports = { item };
