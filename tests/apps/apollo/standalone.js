/** Apollo Server with the server it brings itself. */
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { context, options } from './apollo.js';

const { url } = await startStandaloneServer(new ApolloServer(options()), {
  context,
  listen: { port: Number(process.env.PORT ?? 4000) },
});
console.log(`listening on ${url}`);
