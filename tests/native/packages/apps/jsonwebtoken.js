import jwt from 'jsonwebtoken';
import { answer, attempt } from './serve.js';
const payload = {
  sub: 'someone',
  iat: 17e8,
};
const privateKey = process.env['TEST_PRIVATE_KEY'] ?? '';
const publicKey = process.env['TEST_PUBLIC_KEY'] ?? '';
answer(() => {
  const tokens = ['HS256', 'HS384', 'HS512'].map((algorithm) => jwt.sign(payload, 'secret', { algorithm }));
  const signed = jwt.sign(payload, privateKey, { algorithm: 'RS256' });
  return {
    tokens,
    verified: tokens.map((token) => jwt.verify(token, 'secret')),
    signed,
    verifiedByKey: jwt.verify(signed, publicKey),
    wrongSecret: attempt(() => jwt.verify(tokens[0] ?? '', 'other')),
    wrongKind: attempt(() => jwt.verify(signed, 'secret')),
    expired: attempt(() =>
      jwt.verify(
        jwt.sign(
          {
            ...payload,
            exp: 1700000001,
          },
          'secret',
        ),
        'secret',
      ),
    ),
    malformed: attempt(() => jwt.verify('a.b', 'secret')),
    decoded: jwt.decode(tokens[1] ?? '', { complete: true }),
  };
});
