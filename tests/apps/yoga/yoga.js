import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { createFetch } from '@whatwg-node/fetch';
import { createYoga } from 'graphql-yoga';
import { watchers } from './birds.js';
import { schema } from './schema.js';

const findWatcher = (header) => watchers.find(({ token }) => header === `Bearer ${token}`);

export const yoga = createYoga({
  schema,
  logging: 'error',
  batching: { limit: 4 },
  cors: { origin: ['https://cliff.example'], credentials: true, methods: ['POST'], allowedHeaders: ['X-Trip'] },
  plugins: [useDeferStream()],
  fetchAPI: createFetch({ useNodeFetch: false, formDataLimits: { fileSize: 200_000, files: 3, fieldSize: 100_000 } }),
  context: ({ request, connectionParams }) => ({
    watcher: findWatcher(request?.headers.get('authorization') ?? connectionParams?.authorization),
  }),
});

/** The options of graphql-ws that run an operation with everything that Yoga's plugins do. */
export const operations = {
  execute: (args) => args.rootValue.execute(args),
  subscribe: (args) => args.rootValue.subscribe(args),
  onConnect: ({ connectionParams }) => connectionParams?.authorization !== 'Bearer nobody',
  onSubscribe: async ({ connectionParams, extra }, _id, params) => {
    const {
      schema: own,
      execute,
      subscribe,
      contextFactory,
      parse,
      validate,
    } = yoga.getEnveloped({
      ...params,
      connectionParams,
      req: extra.request,
      socket: extra.socket,
      params,
    });
    const args = {
      schema: own,
      operationName: params.operationName,
      document: parse(params.query),
      variableValues: params.variables,
      contextValue: await contextFactory(),
      rootValue: { execute, subscribe },
    };
    const errors = validate(args.schema, args.document);
    return errors.length > 0 ? errors : args;
  },
};
