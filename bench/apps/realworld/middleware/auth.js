// `Authorization: Token <jwt>` (or Bearer) becomes `req.viewer = { id, username }`.
import { unauthorized } from '../lib/errors.js';

export function createAuth(tokens) {
  const read = (req) => {
    const [scheme, token] = (req.get('authorization') ?? '').split(' ');
    if (!/^(token|bearer)$/i.test(scheme) || !token) return undefined;
    try {
      return tokens.verify(token);
    } catch {
      throw unauthorized('is invalid');
    }
  };
  return {
    required(req, res, next) {
      req.viewer = read(req);
      if (req.viewer === undefined) throw unauthorized('is missing');
      next();
    },
    optional(req, res, next) {
      req.viewer = read(req);
      next();
    },
  };
}
