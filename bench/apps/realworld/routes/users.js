// Registration, login and the current user.
import { Router } from 'express';
import { invalid, unauthorized } from '../lib/errors.js';
import { hashPassword, isPassword } from '../lib/passwords.js';
import { email, password, readBody, text } from '../lib/validate.js';
import { toUser } from '../lib/views.js';

const username = text({ max: 50 });

export function usersRouter({ storage, tokens }) {
  const router = Router();

  router.post('/', async (req, res) => {
    const given = readBody(req.body, 'user', { required: { username, email, password } });
    const passwordHash = await hashPassword(given.password);
    const user = await storage.createUser({ username: given.username, email: given.email, passwordHash });
    res.status(201).json({ user: toUser(user, tokens.sign(user)) });
  });

  router.post('/login', async (req, res) => {
    const given = readBody(req.body, 'user', { required: { email: text(), password: text() } });
    const user = await storage.findUserByEmail(given.email);
    if (user === undefined || !(await isPassword(given.password, user.passwordHash))) {
      throw invalid({ 'email or password': ['is invalid'] });
    }
    res.json({ user: toUser(user, tokens.sign(user)) });
  });

  return router;
}

export function userRouter({ storage, tokens, auth }) {
  const router = Router();
  const optional = { username, email, password, bio: text({ isNullable: true }), image: text({ max: 2048, isNullable: true }) };

  router.get('/', auth.required, async (req, res) => {
    const user = await storage.findUserById(req.viewer.id);
    if (user === undefined) throw unauthorized('is of a user that is gone');
    res.json({ user: toUser(user, tokens.sign(user)) });
  });

  router.put('/', auth.required, async (req, res) => {
    const { password: replaced, ...changes } = readBody(req.body, 'user', { optional });
    if (replaced !== undefined) changes.passwordHash = await hashPassword(replaced);
    const user = await storage.updateUser(req.viewer.id, changes);
    if (user === undefined) throw unauthorized('is of a user that is gone');
    res.json({ user: toUser(user, tokens.sign(user)) });
  });

  return router;
}
