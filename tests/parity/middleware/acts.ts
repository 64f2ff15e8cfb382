/**
 * What packages do to requests and responses, the same for every framework. The names of the table are those
 * of the models.
 */
import type { EventEmitter } from 'node:events';
import { type Bag, type Do, type Env, wrap } from './env.ts';

const bag = (value: unknown): Bag => value as Bag;
const emitter = (env: Env, name: string): EventEmitter => (name.startsWith('req') ? env.req : env.res);
const note = (env: Env, ...values: unknown[]): void => env.tools.record(env.id, ...values);

export const messageActs: Readonly<Record<string, Do>> = {
  // The request's fields.
  'header-in': (env, name, value) => void (bag(env.req.headers)[name] = value),
  'no-header-in': (env, name) => void delete env.req.headers[name],
  'headers-in': (env, _name, value) => void (bag(env.req)['headers'] = { ...(value as object) }),
  'define-headers-in': (env) =>
    void Object.defineProperty(env.req, 'headers', { value: { ...env.req.headers, 'x-defined': '1' }, configurable: true, writable: true }),
  'raw-header-in': (env) => void env.req.rawHeaders.push('X-Raw', '1'),
  // Where it goes.
  url: (env, _name, value) => void (env.req.url = value as string),
  method: (env, _name, value) => void (env.req.method = value as string),
  'original-url': (env, _name, value) => void (bag(env.req)['originalUrl'] = value),
  own: (env, name, value) => void (bag(env.req)[name] = value),
  'define-own': (env, name, value) =>
    void Object.defineProperty(env.req, name, { value, configurable: true, enumerable: true, writable: true }),
  // The stream.
  resume: (env) => void env.req.resume(),
  listeners: (env, name) => note(env, name, emitter(env, name).listenerCount('nobody')),
  // The reply's fields.
  'header-out': (env, name, value) => void env.res.setHeader(name, value as string),
  'append-out': (env, name, value) => void env.res.appendHeader(name, value as string),
  'no-header-out': (env, name) => env.res.removeHeader(name),
  'read-out': (env, name) => note(env, name, env.res.getHeader(name), env.res.hasHeader(name), env.res.getHeaderNames()),
  status: (env, _name, value) => void (env.res.statusCode = value as number),
  reason: (env, _name, value) => void (env.res.statusMessage = value as string),
  'no-date': (env) => void (env.res.sendDate = false),
  'res-own': (env, name, value) => void (bag(env.res)[name] = value),
  // Functions put in front.
  wrap: (env, name) => {
    const [owner, member] = name.split('.') as [string, string];
    wrap(owner === 'req' ? env.req : env.res, member, env);
  },
  'wrap-header': (env, name) => wrap(env.res, name, env, () => void (env.res.headersSent || env.res.setHeader('X-Wrapped', name))),
  'wrap-end-later': (env) => {
    const { end } = env.res;
    // As sessions do that are saved first.
    bag(env.res)['end'] = function later(this: unknown, ...args: unknown[]): unknown {
      process.nextTick(() => void Reflect.apply(end, this, args));
      return this;
    };
  },
  'wrap-status': (env) => {
    let code = 200;
    Object.defineProperty(env.res, 'statusCode', {
      configurable: true,
      enumerable: true,
      get: () => code,
      set: (next: number) => {
        code = next;
      },
    });
  },
  // Listeners.
  on: (env, name) => {
    const [owner, event] = name.split('.') as [string, string];
    emitter(env, owner).on(event, () => note(env, name));
  },
  once: (env, name) => {
    const [owner, event] = name.split('.') as [string, string];
    emitter(env, owner).once(event, () => note(env, name, 'once'));
  },
  prepend: (env, name) => {
    const [owner, event] = name.split('.') as [string, string];
    emitter(env, owner).prependListener(event, () => note(env, name, 'first'));
  },
  'on-off': (env, name) => {
    const [owner, event] = name.split('.') as [string, string];
    const never = (): void => note(env, name, 'was removed');
    emitter(env, owner).on(event, never).off(event, never);
  },
  'self-removing': (env, name) => {
    const [owner, event] = name.split('.') as [string, string];
    const target = emitter(env, owner);
    const listener = (): void => {
      target.off(event, listener);
      note(env, name, 'removes itself');
    };
    target.on(event, listener);
  },
  // What can be read.
  look: (env) => {
    const { req, res } = env;
    note(env, req.method, req.url, req.headers['content-length'], res.statusCode, res.headersSent, res.writableEnded, res.finished);
  },
  'look-fields': (env) => note(env, env.req.headers, env.req.rawHeaders.length, env.req.headersDistinct['host']),
};
