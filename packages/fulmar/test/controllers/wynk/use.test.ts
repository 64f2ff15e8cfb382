/**
 * `@Use()`: functions around guards, interceptors and handlers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { of } from 'rxjs';
import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Header,
  HttpCode,
  Module,
  NestFactory,
  Post,
  Sse,
  SseSignal,
  Use,
  UseGuards,
  UseInterceptors,
  User,
} from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

type Next = () => Promise<unknown>;
let calls: string[] = [];
const note =
  (name: string) =>
  async (_ctx: unknown, next: Next): Promise<unknown> => {
    calls.push(`> ${name}`);
    const value = await next();
    calls.push(`< ${name}`);
    return value;
  };

/** As in WynkJS's README. */
const jwtGuard = async (ctx: any, next: Next): Promise<unknown> => {
  const token = ctx.headers.authorization?.replace('Bearer ', '');
  if (!token) {
    ctx.set.status = 401;
    return { error: 'Unauthorized' };
  }
  ctx.user = { role: token };
  return next();
};
const rolesGuard =
  (roles: readonly string[]) =>
  async (ctx: any, next: Next): Promise<unknown> => {
    if (!roles.includes(ctx.user?.role)) {
      ctx.set.status = 403;
      return { error: 'Forbidden' };
    }
    return next();
  };
const fields = async (ctx: any, next: Next): Promise<unknown> => {
  ctx.set.headers['X-Seen'] = `${ctx.request.method} ${ctx.path}`;
  return next();
};

@Controller('order')
@Use(note('class'))
@UseGuards({ canActivate: () => calls.push('guard') > 0 })
@UseInterceptors({
  async intercept(_context: ExecutionContext, next: CallHandler) {
    calls.push('> interceptor');
    return { intercepted: await next() };
  },
})
class Order {
  @Get()
  @Use(note('first'), note('second'))
  get() {
    calls.push('handler');
    return 1;
  }
}

@Controller('admin')
@Use(fields, jwtGuard, rolesGuard(['admin']))
class Admin {
  @Get()
  @Header('X-Route', 'admin')
  all(@User() user: object) {
    return { user };
  }
  @Post()
  make(@Body('name') name: string) {
    return { name };
  }
}

@Controller()
class Others {
  @Post('changed')
  @HttpCode(202)
  @Use(async (_ctx: unknown, next: Next) => ({ wrapped: await next() }))
  changed() {
    return Promise.resolve('value');
  }
  @Post('status')
  @Use(async (ctx: any, next: Next) => {
    ctx.set.status = 299;
    return next();
  })
  status() {
    return { ok: true };
  }
  @Get('express')
  @Use((req: any, res: any, next: (error?: unknown) => void) => {
    if (req.query.fail !== undefined) next(new Error('secret'));
    else if (req.query.own !== undefined) res.status(207).send('own');
    else next();
  })
  express() {
    return 'handler';
  }
  @Get('twice')
  @Use(async (_ctx: unknown, next: Next) => {
    await next();
    return next();
  })
  twice() {
    return 1;
  }
  @Post('stopped')
  @Use(() => ({ stopped: true }))
  stopped() {
    return 1;
  }
  @Sse('events')
  @Use(note('events'))
  events(@SseSignal() signal: AbortSignal) {
    return of({ data: 'one' }, { data: `two, ${signal.aborted ? 'aborted' : 'on its way'}` });
  }
}
@Module({ controllers: [Order, Admin, Others] })
class App {}

const appOf = async () => kept(await NestFactory.create(App, { logger: false }));

test('they stand around guards, interceptors and the handler, those of the class outermost', async () => {
  const app = await appOf();
  calls = [];
  assert.deepEqual((await app.inject('/order')).json(), { intercepted: 1 });
  assert.deepEqual(calls, ['> class', '> first', '> second', 'guard', '> interceptor', 'handler', '< second', '< first', '< class']);
});

test('one that does not go on answers by what it returns', async () => {
  const app = await appOf();
  const as = (role?: string) => app.inject({ url: '/admin', headers: role === undefined ? {} : { authorization: `Bearer ${role}` } });
  assert.deepEqual([(await as()).status, (await as()).json()], [401, { error: 'Unauthorized' }]);
  assert.deepEqual([(await as('user')).status, (await as('user')).json()], [403, { error: 'Forbidden' }]);
  const admin = await as('admin');
  assert.deepEqual(
    [admin.status, admin.json(), admin.headers['x-seen'], admin.headers['x-route']],
    [200, { user: { role: 'admin' } }, 'GET /admin', 'admin'],
  );
  const made = await app.inject({ method: 'POST', url: '/admin', headers: { authorization: 'admin' }, body: { name: 'Ada' } });
  assert.deepEqual([made.status, made.json()], [201, { name: 'Ada' }]);
});

test('statuses are those of the route, or what a function sets', async () => {
  const app = await appOf();
  const post = async (url: string) => {
    const { status, text } = await app.inject({ method: 'POST', url });
    return [status, text];
  };
  assert.deepEqual(await post('/changed'), [202, '{"wrapped":"value"}']);
  assert.deepEqual(await post('/status'), [299, '{"ok":true}']);
  assert.deepEqual(await post('/stopped'), [201, '{"stopped":true}']);
});

test('middleware of Express stands there as well', async () => {
  const app = await appOf();
  const get = async (url: string) => {
    const { status, text } = await app.inject(url);
    return [status, text];
  };
  assert.deepEqual(await get('/express'), [200, 'handler']);
  assert.deepEqual(await get('/express?own'), [207, 'own']);
  assert.deepEqual(await get('/express?fail'), [500, '{"statusCode":500,"message":"Internal server error"}']);
  assert.equal((await get('/twice'))[0], 500);
});

test('events pass', async () => {
  const app = await appOf();
  calls = [];
  assert.match((await app.inject('/events')).text, /data: one\n\nid: 2\ndata: two, on its way/);
  assert.equal(calls[0], '> events');
});

test('what is no function is told where it stands', () => {
  assert.throws(() => Use('x' as never), /@Use\(\) takes functions \(ctx, next\), and this is of type string/);
});
