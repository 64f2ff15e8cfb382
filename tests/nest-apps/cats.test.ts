/** Nest's first application: a controller, its service and everything around them. */
import { playNestApp } from './support/play.ts';

const json = (body: unknown, more: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...more },
  body: JSON.stringify(body),
});
const admin = { 'x-user': 'ann admin' };

playNestApp({
  name: 'cats',
  native: true,
  async play({ ask }) {
    const paths = ['', '/1', '/9', '/one', '/me', '/none', '/mood/calm?loud=true', '/mood/sad', '/mood/calm?loud=perhaps'];
    for (const path of paths) await ask(`/api/cats${path}`, { headers: { 'x-user': 'tom reader' } });
    for (const path of ['chip/4', 'chip/9f8c5a31-0a4e-4c1c-9f6b-0a8d0c8f0b11', 'docs', 'docs?version=5', 'tea', 'broken', 'odd', 'lost'])
      await ask(`/api/cats/${path}`);
    await ask('/api/cats', json({ name: 'Kit', age: 1 }));
    await ask('/api/cats', json({ name: 'Kit', age: 1, tags: ['a', 'b'] }, admin));
    await ask('/api/cats', json({ name: 5, age: -1, tags: ['a', 1], more: true }, admin));
    await ask('/api/cats', { ...json({}, admin), body: '{"name":' });
    await ask('/api/cats', {
      method: 'POST',
      headers: { ...admin, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=Kit&age=2',
    });
    await ask('/api/cats?limit=1');
    await ask('/api/cats?limit=many');
    await ask('/api/cats?color=red');
    await ask('/api/cats/2', { ...json({ name: 'Kat' }, { 'x-user': 'bob keeper' }), method: 'PUT' });
    await ask('/api/cats/2', { ...json({ name: 'Kat' }, { 'x-user': 'bob reader' }), method: 'PUT' });
    await ask('/api/cats/2', { method: 'DELETE', headers: admin });
    await ask('/api/cats/2', { method: 'DELETE', headers: admin });
    await ask('/api/cats', { method: 'OPTIONS', headers: { origin: 'https://cats.example', 'access-control-request-method': 'POST' } });
    await ask('/api/cats/1', { method: 'HEAD' });
    await ask('/health');
    await ask('/api/health');
    await ask('/nowhere');
    await ask('/api/nowhere');
  },
});
