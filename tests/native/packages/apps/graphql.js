import { buildSchema, execute, GraphQLError, parse, printSchema, subscribe, validate } from 'graphql';
import { serve } from './serve.js';
const schema = buildSchema(`
  type Book { title: String!, pages: Int, author(short: Boolean = false): String }
  type Query { books(first: Int!): [Book!]!, fail: String, late: String }
  type Subscription { ticks: Int }
`);
const books = [
  {
    title: 'A',
    pages: 10,
    author: ({ short }) => (short ? 'X.' : 'Xaver'),
  },
  {
    title: 'B',
    pages: null,
    author: () => 'Y',
  },
];
const rootValue = {
  books: ({ first }) => books.slice(0, first),
  fail: () => {
    throw new GraphQLError('on purpose', { extensions: { code: 'NO' } });
  },
  late: () => new Promise((resolve) => setImmediate(resolve, 'came')),
  ticks: async function* ticks() {
    yield { ticks: 1 };
    yield { ticks: 2 };
  },
};
serve((app) => {
  app.get('/query', async (req, res) => {
    const document = parse(String(req.query['q']));
    const errors = validate(schema, document);
    res.json(
      errors.length > 0
        ? { errors }
        : await execute({
            schema,
            document,
            rootValue,
            variableValues: { n: 1 },
          }),
    );
  });
  app.get('/schema', (_req, res) => void res.send(printSchema(schema)));
  app.get('/subscribe', async (_req, res) => {
    const events = [];
    for await (const event of await subscribe({
      schema,
      document: parse('subscription { ticks }'),
      rootValue,
    }))
      events.push(event);
    res.json(events);
  });
});
