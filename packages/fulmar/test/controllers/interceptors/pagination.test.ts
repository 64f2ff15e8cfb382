/**
 * `PaginationInterceptor` and `@Page()`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Controller,
  Get,
  Module,
  NestFactory,
  Page,
  type PageRequest,
  type Paginated,
  PaginationInterceptor,
  UseInterceptors,
} from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

const pageOf = (reply: { json(): unknown }): Paginated => reply.json() as Paginated;
const ALL = Array.from({ length: 25 }, (_, at) => at + 1);

@Controller('cats')
@UseInterceptors(new PaginationInterceptor({ limit: 10, limitMax: 20 }))
class Cats {
  @Get()
  page(@Page() { offset, limit }: PageRequest) {
    return { items: ALL.slice(offset, offset + limit), total: ALL.length };
  }
  @Get('mapper')
  mapper(@Page() { offset, limit }: PageRequest) {
    return [ALL.slice(offset, offset + limit), ALL.length];
  }
  @Get('list')
  list(@Page() { offset, limit }: PageRequest) {
    return ALL.slice(offset, offset + limit + 1);
  }
  @Get('request')
  request(@Page() page: PageRequest) {
    return page;
  }
}
@Controller('without')
class Without {
  @Get()
  get(@Page() page: PageRequest) {
    return page;
  }
}
@Module({ controllers: [Cats, Without] })
class App {}

test('a page has its items, what there is of them and where the others are', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  const reply = await app.inject('/cats?page=2&name=%3Ca%3E%22&limit=10');
  const link = (page: number): string => `/cats?page=${page}&name=%3Ca%3E%22&limit=10`;
  assert.deepEqual(reply.json(), {
    data: ALL.slice(10, 20),
    meta: { page: 2, limit: 10, count: 10, total: 25, pages: 3, hasNext: true, hasPrevious: true },
    links: { self: link(2), first: link(1), prev: link(1), next: link(3), last: link(3) },
  });
  assert.equal(
    reply.headers['link'],
    `<${link(1)}>; rel="first", <${link(1)}>; rel="prev", <${link(3)}>; rel="next", <${link(3)}>; rel="last"`,
  );
  assert.deepEqual(pageOf(await app.inject('/cats/mapper?page=3')).meta, {
    page: 3,
    limit: 10,
    count: 5,
    total: 25,
    pages: 3,
    hasNext: false,
    hasPrevious: true,
  });
  assert.deepEqual(pageOf(await app.inject('/cats?page=9')).links.prev, '/cats?page=3');
});

test('a list without a total is a page, and one item more says that others follow', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  const first = pageOf(await app.inject('/cats/list?limit=20'));
  assert.deepEqual([first.data.length, first.meta], [20, { page: 1, limit: 20, count: 20, hasNext: true, hasPrevious: false }]);
  const second = pageOf(await app.inject('/cats/list?limit=20&page=2'));
  assert.deepEqual([second.meta.count, second.meta.hasNext, second.links.next], [5, false, undefined]);
});

test('nobody asks for more than there may be, and for no page that is none', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  const of = async (query: string): Promise<unknown> => (await app.inject(`/cats/request?${query}`)).json();
  assert.deepEqual(await of('limit=1000000'), { page: 1, limit: 20, offset: 0 });
  assert.deepEqual(await of('page=&limit='), { page: 1, limit: 10, offset: 0 });
  assert.deepEqual(await of('page=3&page=9'), { page: 3, limit: 10, offset: 20 });
  for (const query of [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'limit=0',
    'limit=1e3',
    'page=9007199254740991',
    `page=${'9'.repeat(400)}`,
  ])
    assert.equal((await app.inject(`/cats/request?${query}`)).status, 400, query);
});

test('links are of this server, whatever a client asks for', async () => {
  const app = kept(await NestFactory.create(App, { logger: false }));
  const linkOf = async (url: string): Promise<unknown> => pageOf(await app.inject({ url, headers: { host: 'evil.example' } })).links.self;
  assert.equal(await linkOf('/cats/?page=1'), '/cats/?page=1');
  const interceptor = new PaginationInterceptor();
  for (const [url, self] of [
    ['//evil.example/cats', '/evil.example/cats?page=1'],
    ['http://evil.example/cats', '/cats?page=1'],
    ['/a>;rel="x"?q', '/a%3E;rel=%22x%22?q=&page=1'],
  ]) {
    const context = { getHandler: () => () => 0, getRequest: () => ({ url, headers: {} }), getResponse: () => ({ setHeader: () => 0 }) };
    const made = (await interceptor.intercept(context as never, (() => Promise.resolve([])) as never)) as { links: { self: string } };
    assert.equal(made.links.self, self);
  }
});

test('what does not fit is told where it is', async () => {
  assert.throws(() => new PaginationInterceptor({ limit: 50, limitMax: 20 }), /limit is at most limitMax, and these are 50 and 20/);
  assert.throws(() => new PaginationInterceptor({ limit: 0 }), /limit is a number of items/);
  const errors: unknown[] = [];
  const app = kept(
    await NestFactory.create(App, { logger: { log() {}, warn() {}, error: (...given: unknown[]) => errors.push(...given) } }),
  );
  assert.equal((await app.inject('/without')).status, 500);
  assert.match(String(errors), /@Page\(\) of Without\.get\(\) needs PaginationInterceptor around it/);
});
