import { unwrapResolverError } from '@apollo/server/errors';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import { GraphQLError } from 'graphql';
import { AuthorLoader } from './library.js';
import { schema } from './schema.js';

const users = { 'token-ada': 'ada', 'token-tove': 'tove' };

/** Names the operation in a field of the reply, and logs what went wrong. */
const naming = {
  async requestDidStart() {
    return {
      async didEncounterErrors({ errors }) {
        for (const { message, extensions } of errors) console.log(`error ${extensions?.code ?? '-'}: ${message}`);
      },
      async willSendResponse({ response, operationName, contextValue }) {
        response.http.headers.set('X-Operation', operationName ?? '-');
        response.http.headers.set('X-User', contextValue.user ?? '-');
      },
    };
  },
};

/** The options of the server; `plugins` come in addition. */
export const options = (plugins = []) => ({
  schema,
  allowBatchedHttpRequests: true,
  includeStacktraceInErrorResponses: false,
  status400ForVariableCoercionErrors: true,
  introspection: true,
  plugins: [naming, ApolloServerPluginLandingPageLocalDefault({ embed: false }), ...plugins],
  formatError: (formatted, error) => {
    const isOurs = unwrapResolverError(error) instanceof GraphQLError || formatted.extensions?.code !== 'INTERNAL_SERVER_ERROR';
    return isOurs ? formatted : { message: 'Something broke', extensions: { code: 'INTERNAL_SERVER_ERROR' }, path: formatted.path };
  },
});

export async function context({ req }) {
  const [, token] = (req.headers.authorization ?? '').split(' ');
  if (token === 'stolen') throw new GraphQLError('That token was stolen', { extensions: { code: 'STOLEN', http: { status: 403 } } });
  if (token === 'broken') throw new Error('the context broke');
  return { user: users[token] ?? null, authors: new AuthorLoader() };
}
