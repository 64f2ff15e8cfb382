/**
 * In which order what stands around a handler is asked where it stands in several places, where one of them fails, and
 * what a class that extends a controller inherits.
 */
import { of, throwError } from 'rxjs';
import { tap } from 'rxjs/operators';
import { defineControllers, type Side, type Told } from './suite.ts';

/** What notes its name when it is asked: objects, and classes of them in a scope. */
function noting(n: Side, told: Told) {
  const classOf = (method: string, name: string, act: (...given: any[]) => unknown, scope: number | undefined) => {
    class Noting {
      [member: string]: unknown;
    }
    Object.defineProperty(Noting.prototype, method, {
      value: (...given: unknown[]) => {
        told.note(name);
        return act(...given);
      },
    });
    n.Injectable(scope === undefined ? {} : { scope })(Noting);
    return Noting as never;
  };
  return {
    guard: (name: string, scope?: number) => classOf('canActivate', `guard ${name}`, () => true, scope),
    pipe: (name: string, scope?: number) => classOf('transform', `pipe ${name}`, (value: unknown) => value, scope),
    interceptor: (name: string, scope?: number) => {
      const out = tap({ next: () => told.note(`out of ${name}`), error: () => told.note(`failed in ${name}`) });
      return classOf('intercept', `into ${name}`, (_context, next) => next.handle().pipe(out), scope);
    },
    /** Answers with its name, or throws what it is given, or another error. */
    filter: (name: string, type: Function, thrown: boolean | Error, scope?: number) => {
      const act = (error: Error, host: any): void => {
        if (thrown !== false) throw thrown === true ? error : thrown;
        host.switchToHttp().getResponse().status(400).json({ name });
      };
      const made = classOf('catch', `filter ${name}`, act, scope);
      n.Catch(type as never)(made);
      return made;
    },
  };
}

defineControllers([
  {
    name: 'what is made for each request is asked behind what is there for all',
    app: (n, told) => {
      const { guard, pipe, interceptor, filter } = noting(n, told);
      const { REQUEST } = n.Scope;
      @n.Controller()
      class Root {
        @n.Get()
        @n.UseGuards(guard('own'))
        @n.UseInterceptors(interceptor('own', REQUEST))
        show(@n.Query('fails') fails: string | undefined) {
          if (fails !== undefined) throw new Error('fails');
          return 1;
        }
      }
      @n.Module({
        controllers: [Root],
        providers: [
          { provide: n.APP_GUARD, useClass: guard('of requests', REQUEST) },
          { provide: n.APP_GUARD, useClass: guard('of all') },
          { provide: n.APP_INTERCEPTOR, useClass: interceptor('of requests', REQUEST) },
          { provide: n.APP_INTERCEPTOR, useClass: interceptor('of all') },
          { provide: n.APP_PIPE, useClass: pipe('of requests', REQUEST) },
          { provide: n.APP_PIPE, useClass: pipe('of all') },
          { provide: n.APP_FILTER, useClass: filter('of requests', Error, false, REQUEST) },
          { provide: n.APP_FILTER, useClass: filter('of all', Error, false) },
        ],
      })
      class App {}
      return App;
    },
    setup: (app, n, told) => {
      const { guard, pipe, interceptor } = noting(n, told) as any;
      app.useGlobalGuards(new (guard('given'))());
      app.useGlobalInterceptors(new (interceptor('given'))());
      app.useGlobalPipes(new (pipe('given'))());
    },
    requests: ['/', '/?fails', '/none'],
  },
  {
    name: 'everything at once, in all places',
    app: (n, told) => {
      const { guard, pipe, interceptor, filter } = noting(n, told);
      const Own = n.createParamDecorator(() => {
        told.note('factory');
        return 'own';
      });
      @n.Controller('all')
      @n.UseGuards(guard('class 1'), guard('class 2'))
      @n.UseInterceptors(interceptor('class 1'), interceptor('class 2'))
      @n.UsePipes(pipe('class'))
      @n.UseFilters(filter('class', Error, true))
      class All {
        @n.Post(':id')
        @n.UseGuards(guard('method 1'))
        @n.UseGuards(guard('method 2'))
        @n.UseInterceptors(interceptor('method'))
        @n.UsePipes(pipe('method'))
        @n.UseFilters(filter('method of types', TypeError, true), filter('method', Error, true))
        show(@n.Param('id', pipe('id')) id: string, @n.Body(pipe('body')) body: unknown, @Own(pipe('own')) own: string) {
          told.note('handler');
          if (id === 'error') throw new Error('error');
          if (id === 'type') throw new TypeError('type');
          return { id, body, own };
        }
      }
      const middleware = (name: string) => (_req: unknown, _res: unknown, next: () => void) => {
        told.note(name);
        next();
      };
      @n.Module({
        controllers: [All],
        providers: [
          { provide: n.APP_GUARD, useClass: guard('app') },
          { provide: n.APP_INTERCEPTOR, useClass: interceptor('app') },
          { provide: n.APP_PIPE, useClass: pipe('app') },
          { provide: n.APP_FILTER, useClass: filter('app', Error, false) },
        ],
      })
      class App {
        configure(consumer: any) {
          consumer.apply(middleware('module 1'), middleware('module 2')).forRoutes('all/*path');
          consumer.apply(middleware('controller')).forRoutes(All);
        }
      }
      return App;
    },
    setup: (app, _n, told) => {
      app.use((_req: unknown, _res: unknown, next: () => void) => {
        told.note('app.use');
        next();
      });
    },
    requests: [
      { method: 'POST', path: '/all/1', body: { a: 1 } },
      { method: 'POST', path: '/all/error', body: {} },
      { method: 'POST', path: '/all/type', body: {} },
      { method: 'POST', path: '/all/1', body: '{', headers: { 'content-type': 'application/json' } },
      '/none',
    ],
  },
  {
    name: 'what a filter of a route throws is for those of all alone',
    app: (n, told) => {
      const { filter } = noting(n, told);
      @n.Controller()
      @n.UseFilters(filter('class', Error, true))
      class Root {
        @n.Get('same')
        @n.UseFilters(filter('method', Error, true))
        same() {
          throw new Error('same');
        }
        @n.Get('other')
        @n.UseFilters(filter('method', Error, new n.GoneException('other')))
        other() {
          throw new Error('first');
        }
        @n.Get('none')
        none() {
          throw new n.NotFoundException('none');
        }
      }
      @n.Module({ controllers: [Root], providers: [{ provide: n.APP_FILTER, useClass: filter('types', TypeError, false) }] })
      class App {}
      return App;
    },
    setup: (app, n, told) => {
      const { filter } = noting(n, told) as any;
      app.useGlobalFilters(new (filter('given', n.GoneException, false))(), new (filter('not found', n.NotFoundException, false))());
    },
    requests: ['/same', '/other', '/none'],
  },
  {
    name: 'a filter that returns an error or an Observable has answered nothing',
    app: (n) => {
      const returning = (value: unknown) => ({ catch: () => value });
      @n.Controller()
      class Root {
        @n.Get('error')
        @n.UseFilters(returning(new Error('returned')))
        error() {
          throw new n.ConflictException('error');
        }
        @n.Get('observable')
        @n.UseFilters(returning(throwError(() => new Error('returned'))))
        observable() {
          throw new n.ConflictException('observable');
        }
        @n.Get('later')
        @n.UseFilters(returning(Promise.resolve(of(1))))
        later() {
          throw new n.ConflictException('later');
        }
      }
      @n.Module({ controllers: [Root] })
      class App {}
      return App;
    },
    requests: ['/error', '/observable', '/later'],
  },
  {
    name: 'what a class inherits of a controller, and what it overrides',
    app: (n, told) => {
      const { guard } = noting(n, told);
      @n.UseGuards(guard('of the base'))
      class Base {
        @n.Get('one/:id')
        @n.UseGuards(guard('of one'))
        one(@n.Param('id') id: string) {
          return `base ${id}`;
        }
        @n.Get('two/:id')
        @n.HttpCode(203)
        two(@n.Param('id') id: string, @n.Query('q') q: string) {
          return `${this.name()} ${id} ${q}`;
        }
        name() {
          return 'base';
        }
      }
      @n.Controller('whole')
      class Whole extends Base {
        override name() {
          return 'whole';
        }
      }
      // Without a decorator of a route it is none any more.
      @n.Controller('less')
      class Less extends Base {
        override one(id: string) {
          return `less ${id}`;
        }
      }
      @n.Controller('other')
      @n.UseGuards(guard('of the class'))
      class Other extends Base {
        @n.Get('three/:id')
        override two(id: string, q: string) {
          return `other ${id} ${q}`;
        }
      }
      @n.Module({ controllers: [Whole, Less, Other] })
      class App {}
      return App;
    },
    requests: ['/whole/one/1', '/whole/two/1?q=2', '/less/one/1', '/less/two/1', '/other/one/1', '/other/two/1', '/other/three/1?q=3'],
  },
]);
