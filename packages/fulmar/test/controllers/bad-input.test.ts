/**
 * What is wrong with an application's classes, named by class, member and place: where decorators stand, routes that nobody
 * reaches, lists that are none, and what guards, interceptors and filters do wrong while a request runs. What of it Nest
 * has, is compared with it in `tests/parity/controllers/bad-input.test.ts`.
 */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import {
  APP_FILTER,
  APP_GUARD,
  Body,
  Catch,
  Controller,
  createApplication,
  createParamDecorator,
  Delete,
  Get,
  Global,
  Inject,
  Injectable,
  Logger,
  Module,
  NestFactory,
  Next,
  Optional,
  Post,
  type Provider,
  Query,
  Req,
  Res,
  Sse,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '../../src/controllers/index.ts';

const told: unknown[][] = [];
const note =
  (level: string) =>
  (...what: unknown[]): void =>
    void told.push([level, ...what]);
const logger = { log: () => undefined, warn: note('warn'), error: note('error') };

afterEach(() => {
  told.length = 0;
  Logger.overrideLogger(true);
});

function thrown(apply: () => unknown): string {
  try {
    apply();
    return 'nothing';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The message of what is thrown at start, without its places, and their classes. */
async function refused(options: { controllers?: Type[]; providers?: Provider[] }): Promise<[string, string[]]> {
  const error = await createApplication({ ...options, logger })
    .then((app) => app.init())
    .then(
      () => new Error('nothing'),
      (failure: unknown) => failure as Error,
    );
  const [message = '', ...places] = error.message.split('\n');
  return [message, places.map((line) => /^ {2}(\w+): .*bad-input\.test\.ts:\d+$/.exec(line)?.[1] ?? line)];
}

async function ask(controller: Type, path = '/'): Promise<[number, string]> {
  const app = await createApplication({ controllers: [controller], logger });
  const { status, text } = await app.inject(path);
  await app.close();
  return [status, text];
}

// oxlint-disable-next-line no-extraneous-class -- decorators stand on it
class Cats {
  static count(): void {}
  all(): void {}
  get size(): number {
    return 1;
  }
}
const method = (name: 'all' | 'size'): PropertyDescriptor => Object.getOwnPropertyDescriptor(Cats.prototype, name) as PropertyDescriptor;
const staticMethod = Object.getOwnPropertyDescriptor(Cats, 'count') as PropertyDescriptor;

test('decorators of routes and parameters stand on methods of instances', () => {
  assert.deepEqual(
    [
      () => Get()(Cats, 'count', staticMethod),
      () => Sse()(Cats, 'count', staticMethod),
      () => Post()(Cats.prototype, 'size', method('size')),
      () => (Controller() as MethodDecorator)(Cats.prototype, 'all', method('all')),
      () => Body()(Cats, 'count', 0),
      () => Body()(Cats.prototype, 'field', undefined as never),
      () => Query()(Cats, undefined, 0),
      () => Inject('a')(Cats.prototype, 'all', method('all') as never),
      () => UseGuards()(Cats.prototype, 'field', undefined as never),
    ].map(thrown),
    [
      '@Get() is for methods, and here it stands on the static method Cats.count().',
      '@Sse() is for methods, and here it stands on the static method Cats.count().',
      '@Post() is for methods, and here it stands on the accessor Cats.size.',
      '@Controller() is for classes, and here it stands on method Cats.all().',
      "@Body() is for parameters of controllers' methods, and here it stands on parameter 1 of the static method Cats.count().",
      "@Body() is for parameters of controllers' methods, and here it stands on property Cats.field.",
      "@Query() is for parameters of controllers' methods, and here it stands on a parameter of the constructor of Cats.",
      '@Inject() is for parameters of constructors and properties, and here it stands on method Cats.all().',
      '@UseGuards() is for classes and methods, and here it stands on property Cats.field.',
    ],
  );
});

test('a decorator without its parentheses is an error, not a class that is something else from then on', () => {
  const Mine = createParamDecorator(() => 1);
  const called = (decorator: unknown, ...given: unknown[]): (() => unknown) => {
    return () => (decorator as (...all: unknown[]) => unknown)(...given);
  };
  assert.deepEqual(
    [
      called(Controller, Cats),
      called(Injectable, Cats),
      called(Module, Cats),
      called(Global, Cats),
      called(Get, Cats.prototype, 'all', method('all')),
      called(Delete, Cats.prototype, 'all', method('all')),
      called(Sse, Cats.prototype, 'all', method('all')),
      called(Body, Cats.prototype, 'all', 0),
      called(Req, Cats.prototype, 'all', 1),
      called(Res, Cats.prototype, 'all', 1),
      called(Inject, Cats.prototype, 'field', undefined),
      called(Inject, Cats, undefined, 0),
      called(Optional, Cats, undefined, 0),
      called(Mine, Cats.prototype, 'all', 0),
    ].map(thrown),
    [
      '@Controller on class Cats has no effect: write @Controller().',
      '@Injectable on class Cats has no effect: write @Injectable().',
      '@Module on class Cats has no effect: write @Module().',
      '@Global on class Cats has no effect: write @Global().',
      '@Get on method Cats.all() has no effect: write @Get().',
      '@Delete on method Cats.all() has no effect: write @Delete().',
      '@Sse on method Cats.all() has no effect: write @Sse().',
      '@Body on parameter 1 of Cats.all() has no effect: write @Body().',
      '@Req on parameter 2 of Cats.all() has no effect: write @Req().',
      '@Res on parameter 2 of Cats.all() has no effect: write @Res().',
      '@Inject on property Cats.field has no effect: write @Inject().',
      '@Inject on a parameter of the constructor of Cats has no effect: write @Inject().',
      '@Optional on a parameter of the constructor of Cats has no effect: write @Optional().',
      'A decorator of createParamDecorator on parameter 1 of Cats.all() has no effect: write it with ().',
    ],
  );
  assert.equal(thrown(called(Inject, Cats)), 'nothing');
});

test('a route that an earlier one takes whole is told, with both places', async () => {
  @Controller('cats')
  class CatsController {
    @Get(':id')
    one(): string {
      return 'one';
    }
    @Get('me')
    me(): string {
      return 'me';
    }
    @Post(':id')
    other(): string {
      return 'other';
    }
  }
  @Controller('cats')
  class MoreCats {
    @Get(':name')
    named(): string {
      return 'named';
    }
  }
  const app = await createApplication({ controllers: [CatsController, MoreCats], logger });
  assert.equal((await app.inject('/cats/me')).text, 'one');
  await app.close();
  const lines = told.map(([level, message]) => [level, ...String(message).split('\n')]);
  assert.deepEqual(
    lines.map(([level, message, ...places]) => [level, message, ...places.map((line) => /^ {2}(\w+): .*:\d+$/.exec(String(line))?.[1])]),
    [
      [
        'warn',
        'CatsController.me() is never asked: GET /cats/me is taken by CatsController.one(), GET /cats/:id, which stands before it.',
        'CatsController',
      ],
      [
        'warn',
        'MoreCats.named() is never asked: GET /cats/:name is taken by CatsController.one(), GET /cats/:id, which stands before it.',
        'MoreCats',
        'CatsController',
      ],
    ],
  );
});

test('one that hands on by next() takes nothing, and other methods and particular paths before it neither', async () => {
  @Controller('cats')
  class CatsController {
    @Get('me')
    me(): string {
      return 'me';
    }
    @Get(':id')
    one(@Next() next: () => void): void {
      next();
    }
    @Get(':id')
    again(): string {
      return 'again';
    }
    @Post('me')
    post(): string {
      return 'post';
    }
  }
  const app = await createApplication({ controllers: [CatsController], logger });
  assert.deepEqual([(await app.inject('/cats/me')).text, (await app.inject('/cats/1')).text], ['me', 'again']);
  await app.close();
  assert.deepEqual(told, []);
});

test('what guards and their like have not is told at start, with class, module and place', async () => {
  @Injectable()
  class Nothing {}
  for (const [use, name] of [
    [UseGuards, 'canActivate'],
    [UseInterceptors, 'intercept'],
    [UsePipes, 'transform'],
    [UseFilters, 'catch'],
  ] as const) {
    @Controller()
    @use(Nothing as never)
    class Used {
      @Get()
      all(): void {}
    }
    const [message, places] = await refused({ controllers: [Used] });
    assert.deepEqual([message, places[0]], [`Nothing of ApplicationModule has no ${name}(), for which it is used.`, 'Nothing']);
  }
  for (const [provide, name] of [
    [APP_GUARD, 'canActivate'],
    [APP_FILTER, 'catch'],
  ] as const)
    assert.match(
      (await refused({ providers: [{ provide, useValue: {} }] }))[0],
      new RegExp(`^${provide} .* of ApplicationModule has no ${name}\\(\\)`),
    );
});

test('lists and modules that are none are told', async () => {
  const made = async (root: unknown): Promise<string> => {
    const error = (await NestFactory.create(root as never, { logger }).catch((failure: unknown) => failure)) as Error;
    return error.message.split('\n')[0] ?? '';
  };
  class AppModule {}
  assert.equal(
    await made(undefined),
    'An application is made of a class with @Module() or of what its forRoot() returns, and this is undefined.',
  );
  assert.equal(
    await made('AppModule'),
    'An application is made of a class with @Module() or of what its forRoot() returns, and this is string.',
  );
  assert.equal(await made({ module: AppModule, providers: 5 }), 'The providers of AppModule are no list: they are of type number.');
  assert.match(
    await made({ module: AppModule, imports: [undefined] }),
    /^The imports of AppModule have undefined at index \[0\].*forwardRef.*\(AppModule\)$/,
  );
  assert.match(await made({ module: AppModule, exports: ['x'] }), /^AppModule exports x, which it neither provides nor imports/);
  assert.match(await made({ module: AppModule, controllers: [undefined] }), /^The controllers of AppModule have undefined at index \[0\]/);
  assert.match(
    thrown(() => Module(undefined as never)),
    /^@Module\(\) takes \{ imports, exports, controllers, providers \}, and this is undefined/,
  );
});

test('modules that import one another are told where one of them is not there yet', async () => {
  class First {}
  class Second {}
  // As a file that imports the other's sees it, while that is being loaded.
  Module({ imports: [undefined as never] })(First);
  Module({ imports: [First] })(Second);
  await assert.rejects(NestFactory.create(Second, { logger }), {
    message:
      /^The imports of First have undefined at index \[0\].*use forwardRef\(\(\) => …\) in one of the two\. \(Second -> First\)\n {2}First: .*bad-input\.test\.ts:\d+$/,
  });
});

test('a guard that throws is 500 and in the log with its route; one that throws an exception is that', async () => {
  const guarded = (canActivate: () => unknown): Type => {
    @Controller('cats')
    @UseGuards({ canActivate } as never)
    class CatsController {
      @Get()
      all(): string {
        return 'all';
      }
    }
    return CatsController;
  };
  const internal = [500, '{"statusCode":500,"message":"Internal server error"}'];
  const failure = new Error('the inside');
  for (const fail of [failure, 'a text', undefined]) {
    for (const canActivate of [
      () => {
        throw fail;
      },
      () => Promise.reject(fail),
    ]) {
      // oxlint-disable-line
      told.length = 0;
      assert.deepEqual(await ask(guarded(canActivate), '/cats'), internal);
      assert.deepEqual(told, [['error', 'GET /cats (CatsController.all)', fail]]);
    }
  }
  for (const [answer, status] of [
    [undefined, 403],
    [null, 403],
    ['', 403],
    [0, 403],
    ['no', 200],
    [{}, 200],
    [Promise.resolve(false), 403],
  ] as const)
    assert.equal(
      (
        await ask(
          guarded(() => answer),
          '/cats',
        )
      )[0],
      status,
      String(answer),
    );
});

test('an interceptor that returns nothing and lets nothing run is an error that names it', async () => {
  const told500 = async (interceptor: Type): Promise<unknown> => {
    @Controller()
    @UseInterceptors(interceptor)
    class CatsController {
      @Get()
      all(): string {
        return 'all';
      }
    }
    told.length = 0;
    const [status, text] = await ask(CatsController);
    return status === 500
      ? String(told[0]?.[2])
          .replace(/^TypeError: /, '')
          .split('\n')
      : text;
  };
  const message = (name: string): string =>
    `${name}.intercept() has returned nothing, and nothing behind it has run: return next.handle(), await next(), or return what stands for it.`;
  @Injectable()
  class Forgetting {
    intercept(): void {}
  }
  class ForgettingObservable {
    async intercept(_context: unknown, next: { handle(): unknown }): Promise<void> {
      next.handle();
    }
  }
  class Standing {
    async intercept(): Promise<void> {}
  }
  class Instead {
    intercept(): string {
      return 'instead';
    }
  }
  const [first, place] = (await told500(Forgetting)) as string[];
  assert.equal(first, message('Forgetting'));
  assert.match(String(place), /^ {2}Forgetting: .*bad-input\.test\.ts:\d+$/);
  assert.deepEqual(await told500(ForgettingObservable), [message('ForgettingObservable')]);
  assert.deepEqual([await told500(Standing), await told500(Instead)], ['', 'instead']);
});

test('a filter that throws is in the log with its name, and tells nothing of the inside', async () => {
  @Catch()
  class Throwing {
    catch(): never {
      throw new Error('of the filter');
    }
  }
  @Controller('cats')
  class CatsController {
    @Get()
    @UseFilters(Throwing)
    all(): never {
      throw new Error('of the handler');
    }
  }
  assert.deepEqual(await ask(CatsController, '/cats'), [500, '{"statusCode":500,"message":"Internal server error"}']);
  assert.deepEqual(
    told.map(([level, where, error]) => [level, where, (error as Error).message]),
    [
      ['error', 'Throwing of GET /cats (CatsController.all) has thrown', 'of the filter'],
      ['error', 'GET /cats (CatsController.all)', 'of the filter'],
    ],
  );
});
