'use strict';

const { Conflict } = require('@feathersjs/errors');
const { authenticate } = require('@feathersjs/authentication').hooks;
const { hashPassword, protect } = require('@feathersjs/authentication-local').hooks;
const { memory } = require('@feathersjs/memory');

/** An e-mail address belongs to one user only. */
async function refuseTwins(context) {
  const known = await context.service._find({ query: { email: context.data.email }, paginate: false });
  if (known.length > 0) throw new Conflict('That address is taken', { email: context.data.email, errors: [{ field: 'email' }] });
}

module.exports = function users(app) {
  app.use('users', memory({ paginate: { default: 5, max: 10 }, multi: ['remove'] }));
  app.service('users').hooks({
    around: { all: [] },
    before: {
      find: [authenticate('jwt')],
      get: [authenticate('jwt')],
      create: [refuseTwins, hashPassword('password')],
      patch: [authenticate('jwt'), hashPassword('password')],
      remove: [authenticate('jwt')],
    },
    after: { all: [protect('password')] },
  });
};
