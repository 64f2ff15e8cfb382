/**
 * An application of controllers below a prefix of another app: its routes and its middleware take the paths from there
 * on, in all their spellings.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../src/app/index.ts';
import {
  Controller,
  createApplication,
  Get,
  type MiddlewareConsumer,
  Module,
  Param,
  Req,
  RequestMethod,
  type RouteInfo,
  type Type,
} from '../../src/controllers/index.ts';

@Controller('admin')
class Admin {
  @Get('secret')
  secret(): string {
    return 'secret';
  }
  @Get('open')
  open(@Req() req: { url: string; originalUrl: string; baseUrl: string }): object {
    return { url: req.url, originalUrl: req.originalUrl, baseUrl: req.baseUrl };
  }
  @Get('of/:name')
  named(@Param('name') name: string): object {
    return { name };
  }
}

const refuse = (_req: unknown, res: { status(status: number): { end(text: string): void } }): void => res.status(401).end('who?');

async function below(prefix: string, ...places: (string | RouteInfo | Type)[]): Promise<(path: string) => Promise<string>> {
  @Module({ controllers: [Admin] })
  class AppModule {
    configure(consumer: MiddlewareConsumer): void {
      if (places.length > 0)
        consumer
          .apply(refuse)
          .exclude('admin/open')
          .forRoutes(...places);
    }
  }
  const inner = await createApplication({ modules: [AppModule] });
  const outer = createApp().route(prefix, inner.app);
  return async (path) => {
    const { status, text } = await outer.inject(path);
    return `${status} ${text}`;
  };
}

for (const [name, place] of [
  ['a controller', Admin],
  ['a path', 'admin'],
  ['a path and a method', { path: 'admin/*path', method: RequestMethod.ALL }],
  ['all', '*'],
] as const)
  test(`middleware for ${name} stands before routes of an application below a prefix`, async () => {
    const ask = await below('/in', place);
    for (const path of ['/in/admin/secret', '/in/ADMIN/secret', '/in/admin/secret/', '/in/admin/of/a%20b'])
      assert.equal(await ask(path), '401 who?', path);
    assert.doesNotMatch(await ask('/in/%61dmin/secret'), /^200/);
    assert.match(await ask('/in/admin/open?a=1'), /^200/);
  });

test('routes below a prefix take the spellings that they take without it', async () => {
  const ask = await below('/in/:tenant');
  assert.equal(await ask('/in/a/ADMIN/secret/'), '200 secret');
  assert.equal(await ask('/in/a/admin/of/a%20b'), '200 {"name":"a b"}');
  assert.match(await ask('/in/a/%61dmin/secret'), /^404/);
  assert.equal(
    await ask('/in/%61/admin/open?b=1'),
    '200 {"url":"/admin/open?b=1","originalUrl":"/in/%61/admin/open?b=1","baseUrl":"/in/%61"}',
  );
});
