/**
 * `WynkFactory`: an application that is there at once, makes what no module provides, and is Nest's in all else.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AlreadyExistsException,
  Controller,
  Get,
  getTableToken,
  Injectable,
  injectable,
  InjectModel,
  InjectTable,
  Module,
  NestFactory,
  Param,
  registerTables,
  singleton,
  TooManyRequestsException,
  WynkFactory,
  WynkFramework,
} from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

const usersTable = { name: 'users' };
class CatModel {
  static of = 'cats';
}
registerTables({ usersTable });

const events: string[] = [];

@injectable()
class Mailer {
  readonly sent: string[] = [];
  onModuleInit(): void {
    events.push('init');
  }
  onModuleDestroy(): void {
    events.push('destroy');
  }
}
@Injectable()
@singleton()
class Users {
  readonly mailer: Mailer;
  readonly table: typeof usersTable;
  readonly model: typeof CatModel;
  constructor(mailer: Mailer, @InjectTable(usersTable) table: typeof usersTable, @InjectModel(CatModel) model: typeof CatModel) {
    this.mailer = mailer;
    this.table = table;
    this.model = model;
  }
}
@Injectable()
@Controller('/users')
class UsersController {
  readonly users: Users;
  readonly mailer: Mailer;
  constructor(users: Users, mailer: Mailer) {
    this.users = users;
    this.mailer = mailer;
  }
  @Get('/')
  all() {
    return { table: this.users.table.name, model: this.users.model.of, isOne: this.users.mailer === this.mailer };
  }
  @Get('fail/:how')
  fail(@Param('how') how: string): never {
    if (how === 'exists') throw new AlreadyExistsException('Ada is there');
    throw how === 'often' ? new TooManyRequestsException() : new TooManyRequestsException('Wait');
  }
}
@Controller('late')
class Late {
  @Get()
  get() {
    return 'late';
  }
}

const handled = async (app: WynkFramework, path: string): Promise<unknown[]> => {
  const reply = await app.handle(new Request(`http://localhost${path}`));
  return [reply.status, await reply.text()];
};

test('it is there at once, and makes classes and tables that no module provides', async () => {
  events.length = 0;
  const app = WynkFactory.create({ controllers: [UsersController], globalPrefix: '/api/v1', logger: true });
  assert.ok(app instanceof WynkFramework);
  assert.deepEqual(await handled(app, '/api/v1/users'), [200, '{"table":"users","model":"cats","isOne":true}']);
  assert.throws(() => app.registerControllers(Late), /registerControllers\(\) changes routes that are made already/);
  await app.close();
  assert.deepEqual(events, ['init', 'destroy']);
});

test('controllers and providers are registered until it is built', async () => {
  const app = kept(new WynkFramework({ logger: false }));
  app.registerControllers(Late).registerProviders({ provide: 'NAME', useValue: 'Ada' });
  assert.equal(await app.build(), app);
  assert.equal(app.getApp(), app.app);
  assert.equal(app.get('NAME'), 'Ada');
  await app.listen(0, '127.0.0.1');
  assert.equal(await (await fetch(`${await app.getUrl()}/late`)).text(), 'late');
});

test('exceptions that Nest has not have its bodies', async () => {
  const app = kept(WynkFactory.create({ controllers: [UsersController], logger: false }));
  assert.deepEqual(await handled(app, '/users/fail/exists'), [409, '{"message":"Ada is there","error":"Conflict","statusCode":409}']);
  assert.deepEqual(await handled(app, '/users/fail/often'), [429, '{"message":"Too Many Requests","statusCode":429}']);
  assert.deepEqual(await handled(app, '/users/fail/wait'), [429, '{"message":"Wait","error":"Too Many Requests","statusCode":429}']);
});

test('what a module provides is for those that import it', async () => {
  @Module({ providers: [Mailer] })
  class Mails {}
  const app = WynkFactory.create({ modules: [Mails], controllers: [UsersController], logger: false });
  await assert.rejects(app.build(), /Users \(\?, .*\): the argument Mailer at index \[0\] is not available/);
  @Module({ providers: [Mailer], exports: [Mailer] })
  class Open {}
  const open = kept(WynkFactory.create({ modules: [Open], controllers: [UsersController], logger: false }));
  assert.equal((await handled(open, '/users'))[0], 200);
});

test('what is not injectable is not made, and what circles is told', async () => {
  class Plain {}
  @Controller()
  class Needs {
    readonly plain: Plain;
    constructor(plain: Plain) {
      this.plain = plain;
    }
  }
  await assert.rejects(WynkFactory.create({ controllers: [Needs], logger: false }).build(), /Plain/);
});

test('options that are none are told at once', () => {
  assert.throws(() => WynkFactory.create({ controler: [] } as never), /no option controler; did you mean controllers/);
  assert.throws(() => registerTables({ users: undefined as never }), /registerTables\(\{ users \}\)\(\) takes a table or a model/);
  assert.throws(() => InjectTable(undefined as never), /InjectTable\(\) takes a table or a model, .*imports this one/);
});

test('any other application provides tables by their tokens', async () => {
  @Module({
    controllers: [UsersController],
    providers: [Users, Mailer, ...[usersTable, CatModel].map((table) => ({ provide: getTableToken(table), useValue: table }))],
  })
  class Root {}
  const app = kept(await NestFactory.create(Root, { logger: false }));
  assert.equal((await app.inject('/users')).status, 200);
});

test('an origin may be allowed by a function that returns whether it is', async () => {
  const app = kept(
    WynkFactory.create({
      controllers: [Late],
      logger: false,
      cors: { origin: async (origin: string) => origin === 'https://ours.example', credentials: true },
    }),
  );
  const allowed = async (origin: string): Promise<unknown> =>
    (await app.inject({ url: '/late', headers: { origin } })).headers['access-control-allow-origin'];
  assert.equal(await allowed('https://ours.example'), 'https://ours.example');
  assert.equal(await allowed('https://other.example'), undefined);
});
