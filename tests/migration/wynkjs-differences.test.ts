/**
 * What docs/migration/from-wynkjs.md says: each difference, and that each name of WynkJS is ours or stands in the table.
 * WynkJS itself runs on Bun alone: what is said of it was seen there, of 1.0.9 on Bun 1.4.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as controllers from 'fulmar/controllers';
import * as testing from 'fulmar/controllers/testing';
import {
  CacheInterceptor,
  type CallHandler,
  Catch,
  Controller,
  DTO,
  type ExecutionContext,
  Get,
  GlobalExceptionFilter,
  Injectable,
  Ip,
  Module,
  NotFoundException,
  PaginationInterceptor,
  Post,
  RateLimitInterceptor,
  Reflector,
  Res,
  ResponseInterceptor,
  SanitizeInterceptor,
  SetMetadata,
  TimeoutInterceptor,
  TransformInterceptor,
  Use,
  UseFilters,
  UseGuards,
  UseInterceptors,
  WynkFactory,
  type WynkFramework,
} from 'fulmar/controllers';

const open: WynkFramework[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});
function appOf(options: Parameters<typeof WynkFactory.create>[0]): WynkFramework {
  const app = WynkFactory.create({ logger: false, ...options });
  open.push(app);
  return app;
}
interface Answer {
  readonly status: number;
  readonly body: any;
  readonly headers: Headers;
}
async function ask(
  app: WynkFramework,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: object } = {},
): Promise<Answer> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const fields = body === undefined ? headers : { 'content-type': 'application/json', ...headers };
  const reply = await app.handle(new Request(`http://localhost${path}`, { method, headers: fields, ...content }));
  const text = await reply.text();
  const isJson = /json/.test(reply.headers.get('content-type') ?? '');
  return { status: reply.status, body: isJson ? (JSON.parse(text) as unknown) : text, headers: reply.headers };
}

let log: string[] = [];
const around = (name: string) => ({
  async intercept(_context: ExecutionContext, next: CallHandler) {
    log.push(name);
    return next();
  },
});
const Roles = (...roles: string[]) => SetMetadata('roles', roles);

@Injectable()
class Service {
  readonly name = 'service';
}
@Injectable()
class RolesGuard {
  readonly service: Service;
  readonly reflector: Reflector;
  constructor(service: Service, reflector: Reflector) {
    this.service = service;
    this.reflector = reflector;
  }
  canActivate(context: ExecutionContext): boolean {
    log.push(this.service.name);
    return this.reflector.getAllAndOverride<string[]>('roles', [context.getHandler(), context.getClass()]).includes('anybody');
  }
}
class Failing {
  catch() {
    return { statusCode: 418, by: 'route' };
  }
}
const byStatus = (statusCode: number) => {
  @Catch()
  class Filter {
    catch() {
      return { statusCode };
    }
  }
  return new Filter();
};

class User {
  name = 'Ada';
  password = 'secret';
  born = new Date(0);
}

let made = 0;

@Controller()
@Roles('anybody')
class Routes {
  @Post('post')
  post() {
    return { made: (made += 1) };
  }
  @Get('guarded')
  @UseGuards(RolesGuard)
  guarded() {
    return 'in';
  }
  @Get('admins')
  @Roles('admin')
  @UseGuards(RolesGuard)
  admins() {
    return 'in';
  }
  @Get('order')
  @UseInterceptors(around('first'), around('second'))
  order() {
    return 1;
  }
  @Get('error')
  error(): never {
    throw new Error('connect ECONNREFUSED 10.0.0.7');
  }
  @Get('own/filter')
  @UseFilters(Failing)
  ownFilter(): never {
    throw new Error();
  }
  @Post({ path: 'dto', body: DTO.Strict({ age: DTO.Number({ minimum: 18, error: 'Too young' }) }) })
  dto() {
    return 1;
  }
  @Get('context')
  @Use((ctx: any, next: () => unknown) => {
    ctx.user = 'Ada';
    return next();
  })
  context(c: { url: string; user?: string }) {
    return { url: c.url, user: c.user ?? null };
  }
  @Get('response')
  response(@Res() res: { json(value: object): void }) {
    res.json({ own: true });
    return { returned: true };
  }
  @Get('response/too')
  responseToo(@Res({ passthrough: true }) res: { status(code: number): void }) {
    res.status(202);
    return { returned: true };
  }
  @Get('ip')
  ip(@Ip() ip: string) {
    return { ip };
  }
  @Get('limited')
  @UseInterceptors(new RateLimitInterceptor(1, 60_000))
  limited() {
    return 1;
  }
  @Get('cached')
  @UseInterceptors(new CacheInterceptor(60_000))
  cached() {
    return { made: (made += 1) };
  }
  @Get('wrapped/error')
  @UseInterceptors(ResponseInterceptor)
  wrappedError(): never {
    throw new NotFoundException();
  }
  @Get('page')
  @UseInterceptors(PaginationInterceptor)
  page() {
    return [1, 2];
  }
  @Get('transformed')
  @UseInterceptors(TransformInterceptor)
  transformed() {
    return 1;
  }
  @Get('slow')
  @UseInterceptors(new TimeoutInterceptor(1))
  slow() {
    return new Promise(() => undefined);
  }
  @Get('sanitized')
  @UseInterceptors(SanitizeInterceptor)
  sanitized() {
    return new User();
  }
}

const routes = { controllers: [Routes] };

test('W1: a POST is 201', async () => {
  assert.equal((await ask(appOf(routes), '/post', { method: 'POST' })).status, 201);
});

test('W2: what a module does not export is not there for others', async () => {
  @Injectable()
  class Hidden {}
  @Module({ providers: [Hidden] })
  class Owner {}
  @Controller()
  class Wants {
    readonly hidden: Hidden;
    constructor(hidden: Hidden) {
      this.hidden = hidden;
    }
  }
  @Module({ controllers: [Wants] })
  class Other {}
  await assert.rejects(appOf({ modules: [Owner, Other] }).build(), /Owner provides it and does not export it/);
});

test('W3: guards are injected into', async () => {
  log = [];
  assert.equal((await ask(appOf(routes), '/guarded')).status, 200);
  assert.deepEqual(log, ['service']);
});

test('W4: a guard sees the metadata of the method', async () => {
  const { status, body } = await ask(appOf(routes), '/admins');
  assert.deepEqual([status, body], [403, { message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 }]);
});

test('W5: the first interceptor of a list is the outermost', async () => {
  const app = appOf(routes);
  app.useGlobalInterceptors(around('global'));
  log = [];
  await ask(app, '/order');
  assert.deepEqual(log, ['global', 'first', 'second']);
});

test('W6: filters of a route come before those of all, of which the last is first', async () => {
  const app = appOf(routes);
  app.useGlobalFilters(byStatus(450), byStatus(451));
  assert.deepEqual([(await ask(app, '/own/filter')).body, (await ask(app, '/error')).status], [{ statusCode: 418, by: 'route' }, 451]);
});

test('W7: an error tells nothing, unless a developer asks', async () => {
  const app = appOf(routes);
  assert.deepEqual((await ask(app, '/error')).body, { statusCode: 500, message: 'Internal server error' });
  const open = appOf(routes);
  open.useGlobalFilters(new GlobalExceptionFilter({ development: true }));
  assert.equal((await ask(open, '/error')).body.message, 'connect ECONNREFUSED 10.0.0.7');
});

test('W8: the text of a DTO is told', async () => {
  const { body } = await ask(appOf(routes), '/dto', { method: 'POST', body: { age: 1 } });
  assert.deepEqual(body, { statusCode: 400, message: 'Validation failed', errors: { age: ['Too young'] } });
});

test('W9: a handler without decorators is given the context of the app', async () => {
  assert.deepEqual((await ask(appOf(routes), '/context?a=1')).body, { url: '/context?a=1', user: null });
});

test('W10: who takes the response answers', async () => {
  const app = appOf(routes);
  assert.deepEqual((await ask(app, '/response')).body, { own: true });
  const { status, body } = await ask(app, '/response/too');
  assert.deepEqual([status, body], [202, { returned: true }]);
});

test('W11: an address is not what the client says', async () => {
  assert.notEqual((await ask(appOf(routes), '/ip', { headers: { 'x-forwarded-for': '6.6.6.6' } })).body.ip, '6.6.6.6');
});

test('W12: a client with another address in a field is the same', async () => {
  const app = appOf(routes);
  const from = (address: string) => ask(app, '/limited', { headers: { 'x-forwarded-for': address } });
  assert.equal((await from('1.1.1.1')).status, 200);
  const { status, headers } = await from('2.2.2.2');
  assert.deepEqual([status, headers.get('retry-after'), headers.get('ratelimit-remaining')], [429, '60', '0']);
});

test('W13: what is kept is nobody’s own', async () => {
  const app = appOf(routes);
  const of = async (headers: Record<string, string>): Promise<unknown> => (await ask(app, '/cached', { headers })).body.made;
  assert.equal(await of({}), await of({}));
  assert.notEqual(await of({ authorization: 'a' }), await of({ authorization: 'b' }));
});

test('W14: an error is one in its status', async () => {
  assert.equal((await ask(appOf(routes), '/wrapped/error')).status, 404);
});

test('W15: a page has data, meta and links', async () => {
  const app = appOf(routes);
  assert.deepEqual(Object.keys((await ask(app, '/page')).body as object), ['data', 'meta', 'links']);
  assert.equal((await ask(app, '/page?page=x')).status, 400);
});

test('W16: a value is within data', async () => {
  assert.deepEqual((await ask(appOf(routes), '/transformed')).body, { data: 1 });
});

test('W17: two applications share nothing', async () => {
  const [one, other] = [appOf({ providers: [Service] }), appOf({ providers: [Service] })];
  await Promise.all([one.build(), other.build()]);
  assert.notEqual(one.get(Service), other.get(Service));
});

test('W18: a handler that takes too long is 408', async () => {
  assert.equal((await ask(appOf(routes), '/slow')).status, 408);
});

test('W19: dates stay dates where a field is taken out', async () => {
  assert.deepEqual((await ask(appOf(routes), '/sanitized')).body, { name: 'Ada', born: '1970-01-01T00:00:00.000Z' });
});

const page = readFileSync(join(fileURLToPath(import.meta.url), '..', '..', '..', 'docs', 'migration', 'from-wynkjs.md'), 'utf8');
const NAMES =
  'AllExceptions AlreadyExistsException AuthenticationException AuthorizationException AutoInjectable BadGatewayException BadRequestException Body BusinessLogicException CacheInterceptor Catch CommonDTO CompressionInterceptor ConflictException Container Context Controller CorsInterceptor DTO DatabaseExceptionFilter DefaultValuePipe Delete DetailedErrorFormatter DetailedErrorPipe ElysiaFramework ErrorHandlingInterceptor FRAMEWORK_NAME FileUploadExceptionFilter ForbiddenException FormatErrorFormatter FormatErrorPipe GatewayTimeoutException Get Global GlobalExceptionFilter GoneException Head Header Headers HostParam HttpCode HttpException HttpStatus HttpVersionNotSupportedException HttpWynkExceptionFilter Inject InjectModel InjectTable Injectable InternalServerErrorException Ip LoggingInterceptor MethodNotAllowedException MockFactory Module NotAcceptableException NotFoundException NotFoundExceptionFilter NotImplementedException Optional Options PaginationInterceptor Param ParseArrayPipe ParseBoolPipe ParseCommaSeparatedPipe ParseDatePipe ParseEnumPipe ParseFilePipe ParseFloatPipe ParseIntPipe ParseJSONPipe ParseUUIDPipe Patch PayloadTooLargeException Post Put Query RateLimitException RateLimitInterceptor Redirect Reflector Registry Req Request RequestTimeoutException Res Response ResponseInterceptor SanitizeInterceptor SanitizePipe ServiceUnavailableException Session SetMetadata SimpleErrorFormatter SimpleErrorPipe Singleton SlugifyPipe Sse StripHTMLPipe Test TestingModule TimeoutInterceptor TooManyRequestsException TransformCasePipe TransformInterceptor TrimPipe UnauthorizedException UnprocessableEntityException UnsupportedMediaTypeException UploadedFile UploadedFiles Use UseFilters UseGuards UseInterceptors UsePipes User VERSION ValidateEmailPipe ValidateLengthPipe ValidateRangePipe ValidationPipe WynkFactory WynkFramework applyDecorators applyGlobalPrefix assertDefined assertInstanceOf autoInjectable compression container createApp createExecutionContext createMockExecutionContext createMockRequest createMockResponse createParamDecorator executeExceptionFilters executeGuards executeInterceptors executePipes inject injectable normalizePrefixPath registerModels registerTables registry schemaRegistry setupCors singleton validateCorsOptions validateGlobalPrefix wrapWithPrefix';

test('every name of WynkJS 1.0.9 is exported, or has its row', () => {
  const named = new Set(page.slice(page.indexOf('## Names'), page.indexOf('## What differs')).match(/`\w+`/g));
  const missing = NAMES.split(' ').filter((name) => !Object.hasOwn(controllers, name) && !named.has(`\`${name}\``));
  assert.deepEqual(missing, []);
  for (const name of ['Test', 'TestingModule', 'createMockRequest', 'createMockResponse', 'createMockExecutionContext', 'createMock'])
    assert.equal(Object.hasOwn(testing, name), true, name);
});
