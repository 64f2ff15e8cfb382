/**
 * What stands around handlers: its order, what it sees, what it changes, and what becomes of errors.
 */
import type { ArgumentMetadata, ArgumentsHost, CallHandler, ExecutionContext } from '@nestjs/common';
import { from, map, mergeMap, of, tap, throwError, timeout, catchError, EMPTY, delay } from 'rxjs';
import { defineControllers, type Side, type Told } from './suite.ts';

/** A guard, an interceptor, a pipe and a filter that note that they have been there. */
function noting(n: Side, { note }: Told, name: string) {
  @n.Injectable()
  class Guard {
    canActivate(context: ExecutionContext) {
      note('guard', name, context.getClass().name, context.getHandler().name, context.getType());
      return true;
    }
  }
  @n.Injectable()
  class Interceptor {
    intercept(_context: ExecutionContext, next: CallHandler) {
      note('before', name);
      return next.handle().pipe(tap(() => note('after', name)));
    }
  }
  @n.Injectable()
  class Pipe {
    transform(value: unknown, { type, data, metatype }: ArgumentMetadata) {
      note('pipe', name, type, data, metatype?.name, value);
      return value;
    }
  }
  @n.Catch()
  class Filter {
    catch(error: Error, host: ArgumentsHost) {
      note('filter', name, error.message);
      host.switchToHttp().getResponse().status(500).json({ by: name });
    }
  }
  return { Guard, Interceptor, Pipe, Filter };
}

defineControllers([
  {
    name: 'all that stands around a handler runs in one order',
    app: (n, told) => {
      const ofAll = noting(n, told, 'APP');
      const ofClass = noting(n, told, 'class');
      const own = noting(n, told, 'method');
      const ofParameter = noting(n, told, 'parameter');
      @n.Controller()
      @n.UseGuards(ofClass.Guard)
      @n.UseInterceptors(ofClass.Interceptor)
      @n.UsePipes(ofClass.Pipe)
      @n.UseFilters(ofClass.Filter)
      class Ordered {
        @n.Get('ok/:id')
        @n.UseGuards(own.Guard)
        @n.UseInterceptors(own.Interceptor)
        @n.UsePipes(own.Pipe)
        @n.UseFilters(own.Filter)
        ok(@n.Param('id', ofParameter.Pipe) id: string, @n.Query() query: object, @n.Headers('host') host: string) {
          told.note('handler', id, query, typeof host);
          return { id };
        }
        @n.Get('bad')
        @n.UseFilters(own.Filter, ofClass.Filter)
        bad() {
          throw new Error('bad');
        }
        @n.Get('worse')
        worse() {
          throw new Error('worse');
        }
      }
      @n.Module({
        controllers: [Ordered],
        providers: [
          { provide: n.APP_GUARD, useClass: ofAll.Guard },
          { provide: n.APP_INTERCEPTOR, useClass: ofAll.Interceptor },
          { provide: n.APP_PIPE, useClass: ofAll.Pipe },
          { provide: n.APP_FILTER, useClass: ofAll.Filter },
        ],
      })
      class App {
        configure(consumer: any) {
          consumer
            .apply((req: any, _res: any, next: () => void) => {
              told.note('middleware', req.originalUrl);
              next();
            })
            .forRoutes('*');
        }
      }
      return App;
    },
    setup: (app, n, told) => {
      const { Guard, Interceptor, Pipe, Filter } = noting(n, told, 'global');
      app.useGlobalGuards(new Guard());
      app.useGlobalInterceptors(new Interceptor());
      app.useGlobalPipes(new Pipe());
      app.useGlobalFilters(new Filter());
      app.use((_req: unknown, _res: unknown, next: () => void) => {
        told.note('use');
        next();
      });
    },
    requests: ['/ok/7?a=1', '/bad', '/worse', '/none'],
  },
  {
    name: 'guards see the metadata of methods and classes, and say no with 403',
    app: (n) => {
      const Roles = n.Reflector.createDecorator<string[]>();
      const Public = () => n.SetMetadata('public', true);
      @n.Injectable()
      class RolesGuard {
        readonly reflector;
        constructor(@n.Inject(n.Reflector) reflector: any) {
          this.reflector = reflector;
        }
        canActivate(context: ExecutionContext) {
          const targets = [context.getHandler(), context.getClass()];
          if (this.reflector.getAllAndOverride('public', targets)) return true;
          const roles: string[] | undefined = this.reflector.getAllAndOverride(Roles, targets);
          const merged: string[] = this.reflector.getAllAndMerge(Roles, targets);
          const request = context.switchToHttp().getRequest();
          request.merged = merged;
          request.user = { roles: [request.headers.role] };
          return roles === undefined || roles.includes(request.headers.role);
        }
      }
      @n.Controller('g')
      @n.UseGuards(RolesGuard)
      @Roles(['user'])
      class Guarded {
        @n.Get('user')
        user(@n.Req() req: any) {
          return { merged: req.merged, user: req.user };
        }
        @n.Get('admin')
        @Roles(['admin'])
        admin(@n.Req() req: any) {
          return { merged: req.merged };
        }
        @n.Get('public')
        @Public()
        public() {
          return 'all';
        }
        @n.Get('promised')
        @n.UseGuards({ canActivate: () => Promise.resolve(false) })
        promised() {
          return 'never';
        }
        @n.Get('observed')
        @n.UseGuards({ canActivate: () => of(true).pipe(delay(1)) })
        observed() {
          return 'seen';
        }
        @n.Get('thrown')
        @n.UseGuards({
          canActivate: () => {
            throw new n.UnauthorizedException('who are you');
          },
        })
        thrown() {
          return 'never';
        }
      }
      @n.Module({ controllers: [Guarded] })
      class App {}
      return App;
    },
    requests: [
      { path: '/g/user', headers: { role: 'user' } },
      { path: '/g/user', headers: { role: 'none' } },
      { path: '/g/admin', headers: { role: 'user' } },
      { path: '/g/admin', headers: { role: 'admin' } },
      '/g/public',
      { path: '/g/promised', headers: { role: 'user' } },
      { path: '/g/observed', headers: { role: 'user' } },
      { path: '/g/thrown', headers: { role: 'user' } },
    ],
  },
  {
    name: 'interceptors change, replace and refuse values',
    app: (n, { note }) => {
      const using = (intercept: (context: ExecutionContext, next: CallHandler) => any) => n.UseInterceptors({ intercept });
      @n.Controller('i')
      class Intercepted {
        @n.Get('mapped')
        @using((_c, next) => next.handle().pipe(map((data) => ({ data }))))
        mapped() {
          return [1];
        }
        @n.Get('cached')
        @using(() => of('cached'))
        cached() {
          note('must not run');
          return 'own';
        }
        @n.Get('promised')
        @using(async (_c, next) => next.handle().pipe(map((value) => `${value}!`)))
        async promised() {
          return 'value';
        }
        @n.Get('failed')
        @using((_c, next) => next.handle().pipe(catchError(() => throwError(() => new n.BadGatewayException()))))
        failed() {
          throw new Error('inside');
        }
        @n.Get('empty')
        @using(() => EMPTY)
        empty() {
          return 'x';
        }
        @n.Get('slow')
        @using((_c, next) =>
          next.handle().pipe(
            timeout(20),
            catchError(() => throwError(() => new n.RequestTimeoutException())),
          ),
        )
        slow() {
          return new Promise(() => {});
        }
        @n.Get('observable')
        observable() {
          return from([1, 2, { last: true }]);
        }
        @n.Get('several')
        @using((_c, next) => next.handle().pipe(mergeMap((value) => Promise.resolve([value]))))
        @using((_c, next) => next.handle().pipe(map((value) => `inner ${value}`)))
        several() {
          return of('v');
        }
        @n.Get('header')
        @using((context, next) => {
          context.switchToHttp().getResponse().set('X-By', 'interceptor').status(206);
          return next.handle();
        })
        header() {
          return { a: 1 };
        }
        @n.Post('body')
        @using((context, next) => {
          const { body, params, query, method, url } = context.switchToHttp().getRequest();
          return next.handle().pipe(map((value) => ({ value, body, params, query, method, url })));
        })
        body() {
          return 'b';
        }
      }
      @n.Module({ controllers: [Intercepted] })
      class App {}
      return App;
    },
    requests: [
      ...['mapped', 'cached', 'promised', 'failed', 'empty', 'slow', 'observable', 'several', 'header'].map((path) => `/i/${path}`),
      { method: 'POST', path: '/i/body?q=1', body: { a: 1 } },
      { method: 'POST', path: '/i/body', body: '{', headers: { 'content-type': 'application/json' } },
    ],
  },
  {
    name: 'pipes are given what their parameters are, and refuse',
    app: (n, { note }) => {
      class CreateCat {}
      const noted = (name: string) => ({
        transform(value: unknown, { type, data, metatype }: ArgumentMetadata) {
          note(name, value, type, data, metatype?.name);
          return value;
        },
      });
      const Own = n.createParamDecorator((data: unknown, context: ExecutionContext) => {
        return { data, path: context.switchToHttp().getRequest().path };
      });
      @n.Controller('refusing')
      class Refusing {
        @n.Get('sync/:id')
        sync(
          @n.Param('id', {
            transform: (): never => {
              throw new n.BadRequestException(['a', 'b'], 'Bad things');
            },
          })
          id: string,
        ) {
          return id;
        }
        @n.Get('async/:id')
        async(@n.Param('id', { transform: () => Promise.reject(new n.UnprocessableEntityException({ own: true })) }) id: string) {
          return id;
        }
        @n.Get('changed/:id')
        changed(@n.Param('id', { transform: async (value: string) => Number(value) * 2 }) id: number, @n.Query('a') a: string) {
          return { id, a: a ?? null };
        }
        @n.Post('own')
        own(
          @Own({ deep: 1 }, noted('own')) own: object,
          @n.Body(noted('body')) body: CreateCat,
          @n.Body('name', noted('name')) name: string,
        ) {
          return { own, body, name };
        }
      }
      @n.Module({ controllers: [Refusing] })
      class App {}
      return App;
    },
    requests: [
      '/refusing/sync/1',
      '/refusing/async/1',
      '/refusing/changed/4',
      { method: 'POST', path: '/refusing/own', body: { name: 'n' } },
    ],
  },
  {
    name: 'exceptions become their bodies',
    app: (n) => {
      const thrown: Record<string, () => unknown> = {
        plain: () => new Error('secret'),
        text: () => 'a text',
        nothing: () => undefined,
        http: () => new n.HttpException('Own', 418),
        object: () => new n.HttpException({ own: 1 }, 409),
        described: () => new n.NotFoundException('No cat', { description: 'Cats', cause: new Error('x') }),
        list: () => new n.BadRequestException(['a', 'b']),
        objectOf: () => new n.ForbiddenException({ a: 1 }),
        coded: () => new n.ConflictException('x', { errorCode: 'E1' } as object),
        shaped: () => ({ statusCode: 404, message: 'shaped' }),
        exposed: () => Object.assign(new Error('exposed'), { statusCode: 429, status: 429, expose: true }),
        hidden: () => Object.assign(new Error('hidden'), { statusCode: 503, status: 503, expose: false }),
        odd: () => new n.HttpException('moved', 301),
      };
      @n.Controller('e')
      class Throwing {
        @n.Get('sync/:what')
        sync(@n.Param('what') what: string) {
          throw thrown[what]?.();
        }
        @n.Get('async/:what')
        async async(@n.Param('what') what: string) {
          await Promise.resolve();
          throw thrown[what]?.();
        }
        @n.Get('family/:name')
        family(@n.Param('name') name: string) {
          throw new (n as any)[name]();
        }
        @n.Get('unsendable')
        unsendable() {
          const circle: Record<string, unknown> = {};
          circle['circle'] = circle;
          return circle;
        }
        @n.Get('big')
        big() {
          return { big: 1n };
        }
      }
      @n.Module({ controllers: [Throwing] })
      class App {}
      return App;
    },
    requests: [
      ...[
        'plain',
        'text',
        'nothing',
        'http',
        'object',
        'described',
        'list',
        'objectOf',
        'coded',
        'shaped',
        'exposed',
        'hidden',
        'odd',
      ].flatMap((what) => [`/e/sync/${what}`, `/e/async/${what}`]),
      ...[
        'BadRequestException',
        'UnauthorizedException',
        'ForbiddenException',
        'NotFoundException',
        'MethodNotAllowedException',
        'NotAcceptableException',
        'RequestTimeoutException',
        'ConflictException',
        'GoneException',
        'HttpVersionNotSupportedException',
        'PayloadTooLargeException',
        'UnsupportedMediaTypeException',
        'UnprocessableEntityException',
        'InternalServerErrorException',
        'NotImplementedException',
        'ImATeapotException',
        'BadGatewayException',
        'ServiceUnavailableException',
        'GatewayTimeoutException',
        'PreconditionFailedException',
        'MisdirectedException',
      ].map((name) => `/e/family/${name}`),
      '/e/unsendable',
      '/e/big',
    ],
  },
  {
    name: 'filters catch what they name, and the built-in one can be extended',
    app: (n, { note }) => {
      class OwnError extends Error {}
      class OtherError extends OwnError {}
      @n.Catch(OwnError)
      class OwnFilter {
        catch(error: OwnError, host: ArgumentsHost) {
          const http = host.switchToHttp();
          http.getResponse().status(444).json({ own: error.message, url: http.getRequest().url });
        }
      }
      @n.Catch()
      class AllFilter extends n.BaseExceptionFilter {
        override catch(error: unknown, host: ArgumentsHost) {
          note('all', (error as Error).message);
          const builtIn = super.catch.bind(this);
          builtIn(error, host);
        }
      }
      @n.Catch(n.HttpException)
      class AdapterFilter {
        readonly host;
        constructor(@n.Inject(n.HttpAdapterHost) host: any) {
          this.host = host;
        }
        catch(error: any, host: ArgumentsHost) {
          const { httpAdapter } = this.host;
          const http = host.switchToHttp();
          const body = { path: httpAdapter.getRequestUrl(http.getRequest()), status: error.getStatus() };
          httpAdapter.reply(http.getResponse(), body, error.getStatus());
        }
      }
      @n.Controller('f')
      @n.UseFilters(OwnFilter)
      class Filtered {
        @n.Get('own')
        own() {
          throw new OwnError('own');
        }
        @n.Get('other')
        async other() {
          throw new OtherError('other');
        }
        @n.Get('http')
        http() {
          throw new n.NotFoundException();
        }
        @n.Get('plain')
        plain() {
          throw new TypeError('plain');
        }
        @n.Get('late')
        @n.UseFilters({
          async catch(error: Error, host: ArgumentsHost) {
            await Promise.resolve();
            host.switchToHttp().getResponse().status(400).send(error.message);
          },
        })
        late() {
          throw new Error('late');
        }
      }
      @n.Module({
        controllers: [Filtered],
        providers: [
          { provide: n.APP_FILTER, useClass: AllFilter },
          { provide: n.APP_FILTER, useClass: AdapterFilter },
        ],
      })
      class App {}
      return App;
    },
    requests: ['/f/own', '/f/other', '/f/http', '/f/plain', '/f/late', '/f/none'],
  },
]);
