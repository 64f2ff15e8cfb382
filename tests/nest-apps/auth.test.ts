/** @nestjs/passport with two strategies, @nestjs/jwt, and guards of the whole application. */
import { playNestApp } from './support/play.ts';

const login = (name: string, password: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name, password }),
});
const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

playNestApp({
  name: 'auth',
  native: true,
  // Tokens, and what depends on their length.
  masks: [/eyJ[\w.-]+/g, /W\/"[^"]+"/g],
  async play({ ask, json }) {
    for (const path of ['/auth/public', '/auth/profile', '/auth/admin', '/plain']) await ask(path);
    await ask('/auth/login', login('ann', 'wrong'));
    await ask('/auth/login', { method: 'POST' });
    const tokens: string[] = [];
    for (const name of ['ann', 'bob']) tokens.push((await json('/auth/login', login(name, `of ${name}`))).token as string);
    for (const token of [...tokens, 'x.y.z', `${tokens[0]}x`])
      for (const path of ['/auth/profile', '/auth/admin', '/plain']) await ask(path, bearer(token));
    await ask('/plain', { headers: { authorization: 'Basic YTpi' } });
  },
});
