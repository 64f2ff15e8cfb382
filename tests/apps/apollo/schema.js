import { EventEmitter, on } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { books } from './library.js';

const events = new EventEmitter();

const typeDefs = `#graphql
  directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION

  enum CacheControlScope {
    PUBLIC
    PRIVATE
  }

  enum Genre {
    NOVEL
    PICTURES
  }

  scalar Pages

  interface Node {
    id: ID!
  }

  type Author implements Node @cacheControl(maxAge: 240) {
    id: ID!
    name: String!
    born: Int
    books: [Book!]! @cacheControl(inheritMaxAge: true)
  }

  type Book implements Node @cacheControl(maxAge: 60) {
    id: ID!
    title: String!
    pages: Pages!
    kind: Genre!
    author: Author!
    secret: String @cacheControl(maxAge: 30, scope: PRIVATE)
  }

  union Found = Author | Book

  input NewBook {
    title: String!
    authorId: ID! = "a1"
    pages: Pages!
    kind: Genre = NOVEL
    tags: [String!]
  }

  type Query {
    books(kind: Genre): [Book!]! @cacheControl(maxAge: 120)
    book(id: ID!): Book
    find(text: String!): [Found!]!
    node(id: ID!): Node
    me: String
    echo(text: String!): String!
    text(bytes: Int!): String!
    slow(ms: Int!): Int!
    fail(how: String!): String
    must: String!
    batches: Int!
  }

  type Mutation {
    addBook(book: NewBook!): Book!
    clear: Boolean
  }

  type Subscription {
    countdown(from: Int!): Int!
    bookAdded: Book!
  }
`;

const Pages = new GraphQLScalarType({
  name: 'Pages',
  serialize: (value) => value,
  parseValue: toPages,
  parseLiteral: (node) => (node.kind === Kind.INT ? toPages(Number(node.value)) : toPages(undefined)),
});

function toPages(value) {
  if (Number.isInteger(value) && value > 0) return value;
  throw new GraphQLError(`Pages are counted from one, not ${JSON.stringify(value)}`, { extensions: { code: 'NO_PAGES' } });
}

async function fail({ how }) {
  switch (how) {
    case 'plainly':
      throw new Error('the secret of the database');
    case 'status':
      throw new GraphQLError('Closed on Mondays', {
        extensions: { code: 'CLOSED', http: { status: 503, headers: new Map([['retry-after', '86400']]) } },
      });
    case 'late':
      await pause(1);
      throw new TypeError('a late secret');
    case 'code':
      throw new GraphQLError('Forbidden shelf', { extensions: { code: 'FORBIDDEN', shelf: 'ü ☃' } });
    default:
      return null;
  }
}

async function* countdown(_root, { from }) {
  for (let left = from; left >= 0; left -= 1) yield { countdown: left };
}

function addBook(_root, { book }, { user }) {
  if (user === null) throw new GraphQLError('Who are you?', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
  const added = { id: `b${books.length + 1}`, ...book };
  books.push(added);
  events.emit('book', added);
  return added;
}

async function* bookAdded() {
  for await (const [book] of on(events, 'book')) yield { bookAdded: book };
}

export const schema = makeExecutableSchema({
  typeDefs,
  resolvers: {
    Pages,
    Node: { __resolveType: ({ title }) => (title === undefined ? 'Author' : 'Book') },
    Found: { __resolveType: ({ title }) => (title === undefined ? 'Author' : 'Book') },
    Query: {
      books: (_root, { kind }) => books.filter((book) => kind === undefined || book.kind === kind),
      book: (_root, { id }) => books.find((book) => book.id === id),
      find: async (_root, { text }, { authors }) => {
        const found = books.filter(({ title }) => title.includes(text));
        return [...found, ...(await Promise.all(found.map(({ authorId }) => authors.load(authorId))))];
      },
      node: (_root, { id }) => books.find((book) => book.id === id) ?? null,
      me: (_root, _args, { user }) => user,
      echo: (_root, { text }) => text,
      text: (_root, { bytes }) => 'ß'.repeat(bytes / 2),
      slow: async (_root, { ms }) => {
        console.log(`slow by ${ms} ms`);
        await pause(ms);
        return ms;
      },
      fail: (_root, args) => fail(args),
      must: () => null,
      batches: (_root, _args, { authors }) => authors.batches,
    },
    Mutation: { addBook, clear: () => null },
    Subscription: { countdown: { subscribe: countdown }, bookAdded: { subscribe: bookAdded } },
    Book: {
      author: ({ authorId }, _args, { authors }) => authors.load(authorId),
      secret: (_book, _args, { user }) => user && `only for ${user}`,
    },
    Author: { books: ({ id }) => books.filter(({ authorId }) => authorId === id) },
  },
});
