/**
 * What is no error at start, and may be a mistake: routes alike, guards that give something else than a boolean, or throw,
 * interceptors that return nothing. The replies are Nest's; what is told of it is in
 * `packages/fulmar/test/controllers/bad-input.test.ts`.
 */
import 'reflect-metadata';
import { defineControllers, type Side, type Told } from './suite.ts';

function routes(n: Side) {
  @n.Controller('cats')
  class Cats {
    @n.Get('first')
    first() {
      return 'first';
    }
    @n.Get(':id')
    one() {
      return 'one';
    }
    @n.Get(':name')
    named() {
      return 'named';
    }
    @n.Get('me')
    me() {
      return 'me';
    }
    @n.Post(':id')
    post() {
      return 'post';
    }
    @n.Get('on/:id')
    on(@n.Next() next: () => void) {
      next();
    }
    @n.Get('on/:id')
    behind() {
      return 'behind';
    }
  }
  @n.Controller('cats')
  class More {
    @n.Get('first')
    again() {
      return 'again';
    }
  }
  @n.Module({ controllers: [Cats, More] })
  class App {}
  return App;
}

const failures = { error: new Error('inside'), text: 'a text', nothing: undefined, status: { statusCode: 418, message: 'of an object' } };
const answers = { undefined, null: null, empty: '', zero: 0, nan: NaN, text: 'no', one: 1, object: {}, list: [] };

function guards(n: Side, told: Told) {
  class Guard {
    canActivate(context: { switchToHttp(): { getRequest(): any } }): any {
      const { how, what } = context.switchToHttp().getRequest().params as Record<string, string>;
      const answer = (answers as Record<string, unknown>)[what as string];
      told.note(how, what);
      if (how === 'later') return Promise.resolve(answer);
      if (how === 'now') return answer;
      const failure = (failures as Record<string, unknown>)[what as string];
      if (how === 'rejects') return Promise.reject(failure); // oxlint-disable-line prefer-promise-reject-errors
      throw failure;
    }
  }
  @n.Controller()
  class Cats {
    @n.Get(':how/:what')
    @n.UseGuards(Guard as never)
    all() {
      return 'all';
    }
  }
  @n.Module({ controllers: [Cats] })
  class App {}
  return App;
}

function interceptors(n: Side, told: Told) {
  const use = (intercept: (context: unknown, next: any) => any): ReturnType<typeof n.UseInterceptors> => n.UseInterceptors({ intercept });
  @n.Controller()
  class Cats {
    @n.Get('nothing')
    @use(() => undefined)
    nothing() {
      told.note('nothing');
      return 'nothing';
    }
    @n.Get('forgotten')
    @use((_context, next) => void next.handle())
    forgotten() {
      told.note('forgotten');
      return 'forgotten';
    }
    @n.Get('forgotten/later')
    @use(async (_context, next) => void next.handle())
    later() {
      told.note('later');
      return 'later';
    }
    @n.Get('handled')
    @use(async (_context, next) => next.handle())
    handled() {
      told.note('handled');
      return 'handled';
    }
  }
  @n.Module({ controllers: [Cats] })
  class App {}
  return App;
}

const quiet = { logger: false };
defineControllers([
  {
    name: 'of routes alike the first is asked, and another one by next()',
    app: routes,
    options: quiet,
    requests: ['/cats/first', '/cats/1', '/cats/me', { method: 'POST', path: '/cats/1' }, '/cats/on/1'],
  },
  {
    name: 'guards that give something else than a boolean, now and later',
    app: guards,
    options: quiet,
    requests: ['now', 'later'].flatMap((how) => Object.keys(answers).map((what) => `/${how}/${what}`)),
  },
  {
    name: 'guards that throw and reject',
    app: guards,
    options: quiet,
    requests: ['throws', 'rejects'].flatMap((how) => Object.keys(failures).map((what) => `/${how}/${what}`)),
  },
  {
    name: 'interceptors that return nothing while nothing behind them has run',
    app: interceptors,
    options: quiet,
    requests: ['/nothing', '/forgotten', '/forgotten/later', '/handled'],
  },
]);
