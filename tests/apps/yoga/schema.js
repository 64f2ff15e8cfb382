import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createGraphQLError, createSchema } from 'graphql-yoga';
import { addBird, birds, harbour, pubSub, watchers } from './birds.js';

const typeDefs = /* GraphQL */ `
  scalar File

  type Watcher {
    id: ID!
    name: String!
    birds: [Bird!]!
  }

  type Bird {
    id: ID!
    name: String!
    wingspanCm: Int!
    seenBy: Watcher!
    "Takes a while: worth deferring."
    story(lines: Int = 3): [String!]!
  }

  type Upload {
    name: String!
    type: String!
    size: Int!
    sha256: String!
  }

  type Page {
    items: [Bird!]!
    total: Int!
    next: String
  }

  input NewBird {
    name: String!
    wingspanCm: Int! = 100
  }

  type Query {
    hello(name: String = "world"): String!
    me: Watcher
    bird(id: ID!): Bird
    birds(search: String = "", first: Int = 5, after: String): Page!
    text(bytes: Int!): String!
    length(of: String!): Int!
    headers(names: [String!]!): [String]!
    fail(how: String!): String
    harbour: [Int!]!
  }

  type Mutation {
    addBird(input: NewBird!): Bird!
    upload(file: File!, note: String): Upload!
    uploads(files: [File!]!): [Upload!]!
  }

  type Subscription {
    countdown(from: Int!): Int!
    waves: Int!
    birdAdded: Bird!
    failAfter(count: Int!): Int!
  }
`;

function page({ search, first, after }) {
  if (first > 50) throw createGraphQLError('At most 50 at a time', { extensions: { code: 'TOO_MANY', http: { status: 400 } } });
  const found = birds.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const from = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
  const items = found.slice(from, from + first);
  return { items, total: found.length, next: from + first < found.length ? items.at(-1).id : null };
}

function fail({ how }) {
  switch (how) {
    case 'plainly':
      throw new Error('the secret of the database');
    case 'openly':
      throw createGraphQLError('No such island', { extensions: { code: 'NO_ISLAND', detail: { near: 'Heimaey' } } });
    case 'with status':
      throw createGraphQLError('Not without a permit', {
        extensions: {
          code: 'FORBIDDEN',
          http: { status: 403, headers: { 'X-Permit': 'needed', 'WWW-Authenticate': 'Bearer realm="cliff"' } },
        },
      });
    case 'late':
      return Promise.reject(new TypeError('a late secret'));
    default:
      return null;
  }
}

async function describe(file) {
  const bytes = Buffer.from(await file.arrayBuffer());
  return { name: file.name, type: file.type, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function* countdown(_root, { from }) {
  for (let left = from; left >= 0; left -= 1) {
    await pause(2);
    yield { countdown: left };
  }
}

/** Never ends by itself. */
async function* waves(_root, _args, { request }) {
  harbour.opened += 1;
  try {
    for (let count = 0; !request?.signal?.aborted; count += 1) {
      yield { waves: count };
      await pause(5);
    }
  } finally {
    harbour.closed += 1;
  }
}

async function* failAfter(_root, { count }) {
  for (let at = 0; at < count; at += 1) yield { failAfter: at };
  throw createGraphQLError('The tide turned', { extensions: { code: 'TIDE' } });
}

const needWatcher = (watcher) => {
  if (watcher === undefined) throw createGraphQLError('Who are you?', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
  return watcher;
};

export const schema = createSchema({
  typeDefs,
  resolvers: {
    Query: {
      hello: (_root, { name }) => `Hello ${name}!`,
      me: (_root, _args, { watcher }) => watcher,
      bird: (_root, { id }) => birds.find((bird) => bird.id === id),
      birds: (_root, args) => page(args),
      text: (_root, { bytes }) => 'ü'.repeat(bytes / 2),
      length: (_root, { of }) => of.length,
      headers: (_root, { names }, { request }) => names.map((name) => request.headers.get(name)),
      fail: (_root, args) => fail(args),
      harbour: () => [harbour.opened, harbour.closed],
    },
    Mutation: {
      addBird: (_root, { input }, { watcher }) => addBird(input, needWatcher(watcher)),
      upload: (_root, { file }) => describe(file),
      uploads: (_root, { files }) => Promise.all(files.map(describe)),
    },
    Subscription: {
      countdown: { subscribe: countdown },
      waves: { subscribe: waves },
      birdAdded: { subscribe: () => pubSub.subscribe('bird'), resolve: (bird) => bird },
      failAfter: { subscribe: failAfter },
    },
    Bird: {
      seenBy: ({ seenBy }) => watchers[seenBy],
      story: async ({ name }, { lines }) => {
        await pause(5);
        return Array.from({ length: lines }, (_, line) => `${name}, line ${line + 1}`);
      },
    },
    Watcher: { birds: ({ id }) => birds.filter(({ seenBy }) => String(seenBy) === id) },
  },
});
