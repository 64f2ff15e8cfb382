/**
 * `SanitizeInterceptor`: what is taken out, and what is never touched.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { of } from 'rxjs';
import {
  Controller,
  Get,
  Module,
  NestFactory,
  SanitizeInterceptor,
  Sse,
  StreamableFile,
  UseInterceptors,
} from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

class User {
  name = 'Ada';
  password = 'secret';
  born = new Date(0);
  get initial(): string {
    return this.name.charAt(0);
  }
}
class Told {
  readonly #password = 'x';
  toJSON(): object {
    return { name: 'told', password: this.#password, born: new Date(0) };
  }
}

const interceptor = new SanitizeInterceptor();

test('fields go by their names, however deep they lie and however they are written', () => {
  const value = { a: 1, Password: 'x', list: [{ SECRET: 1, b: [{ token: 2, c: 3 }] }], nothing: null };
  assert.deepEqual(interceptor.sanitize(value), { a: 1, list: [{ b: [{ c: 3 }] }], nothing: null });
  assert.deepEqual(value.list[0], { SECRET: 1, b: [{ token: 2, c: 3 }] });
  assert.deepEqual(new SanitizeInterceptor(['a']).sanitize({ a: 1, password: 2 }), { password: 2 });
});

test('the objects of a service stay as they are, and what has nothing to hide is not copied', () => {
  const clean = { at: new Date(0), list: [1, new User().born], bytes: Buffer.from('a') };
  assert.equal(interceptor.sanitize(clean), clean);
  const user = new User();
  const given = { user, clean };
  const made = interceptor.sanitize(given) as typeof given;
  assert.equal(user.password, 'secret');
  assert.equal(made.clean, clean);
  assert.ok(made.user instanceof User);
  assert.equal(made.user.initial, 'A');
  assert.equal(JSON.stringify(made.user), '{"name":"Ada","born":"1970-01-01T00:00:00.000Z"}');
});

test('what an object says of itself by toJSON() is looked through', () => {
  assert.equal(JSON.stringify(interceptor.sanitize([new Told()])), '[{"name":"told","born":"1970-01-01T00:00:00.000Z"}]');
  const harmless = { toJSON: () => ({ a: 1 }) };
  assert.equal(interceptor.sanitize(harmless), harmless);
});

test('a member of the name __proto__ is one, and no setter is called', () => {
  const given = JSON.parse('{"__proto__":{"admin":true},"password":1}') as object;
  const made = interceptor.sanitize(given) as object;
  assert.equal(Object.getPrototypeOf(made), Object.prototype);
  assert.equal(JSON.stringify(made), '{"__proto__":{"admin":true}}');
});

test('what is too deep, or part of itself, is an error and no reply', () => {
  const circle: Record<string, unknown> = { password: 1 };
  circle['self'] = circle;
  assert.throws(() => interceptor.sanitize(circle), /up to 100 levels/);
  assert.throws(() => new SanitizeInterceptor({ depth: 1 }).sanitize({ a: { b: { password: 1 } } }), /up to 1 levels/);
  assert.throws(() => new SanitizeInterceptor({ field: [] } as never), /no option field; did you mean fields/);
});

@Controller()
@UseInterceptors(SanitizeInterceptor)
class Users {
  @Get()
  all() {
    return [new User()];
  }
  @Get('deep')
  deep() {
    const circle: Record<string, unknown> = { password: 'leaked' };
    circle['self'] = circle;
    return circle;
  }
  @Get('file')
  file() {
    return new StreamableFile(Buffer.from('password'));
  }
  @Sse('events')
  events() {
    return of({ data: { password: 'x', name: 'one' } }, { data: { name: 'two' } });
  }
}
@Module({ controllers: [Users] })
class App {}

test('replies and events leave without them', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  assert.equal((await app.inject('/')).text, '[{"name":"Ada","born":"1970-01-01T00:00:00.000Z"}]');
  const deep = await app.inject('/deep');
  assert.deepEqual([deep.status, deep.text], [500, '{"statusCode":500,"message":"Internal server error"}']);
  assert.equal((await app.inject('/file')).text, 'password');
  assert.match((await app.inject('/events')).text, /data: \{"name":"one"\}\n\nid: 2\ndata: \{"name":"two"\}\n\n/);
});
