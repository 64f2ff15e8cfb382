'use strict';

const { setTimeout: pause } = require('node:timers/promises');
const { BadRequest, Forbidden, NotFound, Unavailable } = require('@feathersjs/errors');
const { authenticate } = require('@feathersjs/authentication').hooks;
const { memory } = require('@feathersjs/memory');
const { Ajv, getValidator, hooks, resolve, querySyntax } = require('@feathersjs/schema');

const ajv = new Ajv({ coerceTypes: true });
const compile = (schema) => getValidator(schema, ajv);
const properties = {
  text: { type: 'string', minLength: 1, maxLength: 200 },
  mood: { type: 'string', enum: ['calm', 'rough', 'foggy'], default: 'calm' },
  height: { type: 'integer', minimum: 0 },
};
const checkData = compile({ $id: 'Message', type: 'object', additionalProperties: false, required: ['text'], properties });
const checkPatch = compile({ $id: 'MessagePatch', type: 'object', additionalProperties: false, properties });
const checkQuery = compile({
  $id: 'MessageQuery',
  type: 'object',
  additionalProperties: false,
  properties: { ...querySyntax({ ...properties, id: { type: 'number' }, userId: { type: 'number' } }) },
});

const setAuthor = resolve({ userId: async (_value, _message, context) => context.params.user?.id });
const addUser = resolve({
  user: async (_value, message, context) => {
    if (message.userId === undefined) return undefined;
    const { name, email } = await context.app.service('users').get(message.userId);
    return { name, email };
  },
  length: async (_value, message) => message.text?.length,
});

/** Tells how long a call took in which method, without the time. */
async function logCalls(context, next) {
  try {
    await next();
    console.log(`${context.path}.${context.method} by ${context.params.provider ?? 'us'} ok`);
  } catch (error) {
    console.log(`${context.path}.${context.method} by ${context.params.provider ?? 'us'} ${error.name}`);
    throw error;
  }
}

const onlyOwn = async (context) => {
  const message = await context.service._get(context.id);
  if (message.userId !== context.params.user?.id) throw new Forbidden('Not your message', { owner: message.userId });
};

module.exports = function messages(app) {
  app.use('messages', memory({ paginate: { default: 3, max: 20 }, multi: true }), {
    methods: ['find', 'get', 'create', 'update', 'patch', 'remove'],
    events: ['typed'],
  });
  app.service('messages').hooks({
    around: { all: [logCalls, hooks.resolveResult(addUser)] },
    before: {
      find: [hooks.validateQuery(checkQuery)],
      create: [authenticate('jwt'), hooks.validateData(checkData), hooks.resolveData(setAuthor)],
      update: [authenticate('jwt'), onlyOwn, hooks.validateData(checkData), hooks.resolveData(setAuthor)],
      patch: [authenticate('jwt'), onlyOwn, hooks.validateData(checkPatch)],
      remove: [authenticate('jwt'), onlyOwn],
    },
    error: {
      get: (context) => {
        if (context.error.code === 404) context.error = new NotFound(`Nobody said ${context.id}`, { hint: 'ü ☃' });
      },
    },
  });

  /** Anything but a store: methods of its own, errors of each kind. */
  class Harbour {
    async find(params) {
      return { route: params.route, query: params.query, provider: params.provider, trip: params.trip ?? null };
    }

    async get(id) {
      if (id === 'plainly') throw new Error('the secret of the database');
      if (id === 'bad') throw new BadRequest('Bad id', { errors: { id: 'must be good' } });
      if (id === 'closed') throw new Unavailable('Closed for the winter');
      if (id === 'null') return null;
      if (id === 'big') return { text: 'ß'.repeat(500_000) };
      return { id };
    }

    async ring(data, params) {
      await pause(1);
      return { rang: data, times: Number(params.query?.times ?? 1) };
    }

    async create(data) {
      return data;
    }
  }
  app.use('harbours/:harbourId/ships', new Harbour(), { methods: ['find', 'get', 'create', 'ring'] });
};
