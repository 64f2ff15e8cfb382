// JSON Web Tokens of this API. They carry no time of issue, so the same user always has the same token.
import jwt from 'jsonwebtoken';

export function createTokens(secret) {
  return {
    sign: ({ id, username }) => jwt.sign({ id, username }, secret, { algorithm: 'HS256', noTimestamp: true }),
    /** `{ id, username }`; throws when the token is not ours. */
    verify: (token) => jwt.verify(token, secret, { algorithms: ['HS256'] }),
  };
}
