/**
 * A first controller, over a socket and without one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Body, Controller, Get, Injectable, Module, NestFactory, Param, Post } from '../../src/controllers/index.ts';

@Injectable()
class Greeter {
  greet(name: string): string {
    return `Hello ${name}`;
  }
}

@Controller('hello')
class HelloController {
  readonly greeter: Greeter;
  constructor(greeter: Greeter) {
    this.greeter = greeter;
  }
  @Get()
  hello(): string {
    return this.greeter.greet('world');
  }
  @Get(':name')
  named(@Param('name') name: string): object {
    return { text: this.greeter.greet(name) };
  }
  @Post()
  async post(@Body() body: object): Promise<object> {
    return { body };
  }
}

@Module({ controllers: [HelloController], providers: [Greeter] })
class AppModule {}

test('a controller answers over a socket', async () => {
  const app = await NestFactory.create(AppModule);
  await app.listen(0, '127.0.0.1');
  try {
    const url = await app.getUrl();
    const reply = await fetch(`${url}/hello`);
    assert.equal(reply.status, 200);
    assert.equal(await reply.text(), 'Hello world');
    assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(reply.headers.get('etag') ?? '', /^W\/"b-/);
    const posted = await fetch(`${url}/hello`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' });
    assert.equal(posted.status, 201);
    assert.deepEqual(await posted.json(), { body: { a: 1 } });
    const bad = await fetch(`${url}/hello`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":' });
    assert.equal(bad.status, 400);
    assert.deepEqual(await bad.json(), { message: 'Unexpected end of JSON input', error: 'Bad Request', statusCode: 400 });
    const none = await fetch(`${url}/nothing`);
    assert.equal(none.status, 404);
    assert.deepEqual(await none.json(), { message: 'Cannot GET /nothing', error: 'Not Found', statusCode: 404 });
  } finally {
    await app.close();
  }
});

test('a controller answers without a socket', async () => {
  const app = await NestFactory.create(AppModule);
  const reply = await app.inject('/hello/Ada');
  assert.deepEqual(reply.json(), { text: 'Hello Ada' });
  await app.close();
});
