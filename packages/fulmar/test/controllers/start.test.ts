/**
 * What is wrong with classes and modules is told at start, with the classes it concerns.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import {
  Body,
  Controller,
  createApplication,
  createParamDecorator,
  forwardRef,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Module,
  NestFactory,
  Optional,
  SetMetadata,
  UseGuards,
} from '../../src/controllers/index.ts';

const start = (module: object): Promise<unknown> => NestFactory.create(module as never, { logger: false });

test('a missing dependency names class, argument and module, and what to do', async () => {
  @Injectable()
  class Repository {}
  @Injectable()
  class Service {
    constructor(@Inject('log') _log: unknown, _repository: Repository) {}
  }
  @Module({ providers: [Repository] })
  class DataModule {}
  @Module({ imports: [DataModule], providers: [Service, { provide: 'log', useValue: console }] })
  class AppModule {}
  const told = (await start(AppModule).catch((error: unknown) => error)) as Error;
  assert.equal(told.name, 'ContainerError');
  const [message, ...places] = told.message.split('\n');
  assert.equal(
    message,
    'Cannot resolve the dependencies of Service (log, ?): the argument Repository at index [1] is not available in AppModule. ' +
      'DataModule provides it and does not export it: add Repository to the exports of DataModule, and DataModule to the imports of AppModule.',
  );
  assert.deepEqual(
    places.map((line) => line.replace(/\d+$/, '<line>').replaceAll('\\', '/')),
    ['Service', 'AppModule', 'DataModule'].map((name) => `  ${name}: ${relative(process.cwd(), import.meta.filename)}:<line>`),
  );
  @Module({ providers: [Repository], exports: [Repository] })
  class Exporting {}
  @Module({ imports: [{ module: class Other {}, imports: [Exporting] }], providers: [Service, { provide: 'log', useValue: 1 }] })
  class Second {}
  await assert.rejects(start(Second), /Exporting exports it: add Exporting to the imports of Second\.\n/);
});

test('a dependency whose type is gone says why that is', async () => {
  @Injectable()
  class Service {
    constructor(_options: { a: number }) {}
  }
  @Module({ providers: [Service] })
  class AppModule {}
  await assert.rejects(start(AppModule), /the argument \? at index \[0\] of AppModule cannot be known; .*import type/);
});

test('a circle is told as the path it takes', async () => {
  class A {}
  class B {}
  class C {}
  for (const [type, needs] of [
    [A, 'b'],
    [B, 'c'],
    [C, 'a'],
  ] as const) {
    Inject(needs)(type, undefined as never, 0);
    Injectable()(type);
  }
  const providers = [
    { provide: 'a', useClass: A },
    { provide: 'b', useClass: B },
    { provide: 'c', useClass: C },
  ];
  @Module({ providers })
  class AppModule {}
  await assert.rejects(
    start(AppModule),
    /in a circle: a \(AppModule\) -> b \(AppModule\) -> c \(AppModule\) -> a \(AppModule\)\. Break it with @Inject\(forwardRef/,
  );
  const broken = [...providers.slice(0, 2), { provide: 'c', useFactory: () => 'c', inject: [forwardRef(() => 'a') as never] }];
  await NestFactory.create({ module: class Broken {}, providers: broken }, { logger: false });
});

test('a decorator on the wrong thing says where it stands', () => {
  const thrown = (apply: () => unknown): string => {
    try {
      apply();
      return 'nothing';
    } catch (error) {
      return (error as Error).message;
    }
  };
  class Cats {
    all(): void {}
  }
  const found = [
    () => Get()(Cats as never, undefined as never, undefined as never),
    () => Controller()(Cats.prototype as never),
    () => Body()(Cats.prototype, 'all', undefined as never),
    () => Optional()(Cats.prototype, 'all', 0 as never),
    () => SetMetadata('a', 1)(Cats.prototype, 'field', undefined as never),
    () => UseGuards(undefined as never)(Cats),
    () => HttpCode(99),
    () => Controller({ pth: 'x' } as never),
    () => Module({ providers: [], provider: [] } as never),
    () => Body('a', 'b' as never),
    () => createParamDecorator(undefined as never),
    () => Get()({}, 'all', { kind: 'method' } as never),
  ].map(thrown);
  assert.deepEqual(found.slice(0, -1), [
    '@Get() is for methods, and here it stands on class Cats.',
    '@Controller() is for classes, and here it stands on class Cats.',
    "@Body() is for parameters of controllers' methods, and here it stands on property Cats.all.",
    '@Optional() is for parameters of constructors and properties, and here it stands on parameter 1 of Cats.all().',
    '@SetMetadata() is for classes and methods, and here it stands on property Cats.field.',
    '@UseGuards() of Cats takes classes or objects with canActivate(), and this is undefined: perhaps its file imports this one.',
    '@HttpCode() takes a status from 200 to 599, and this is 99.',
    '@Controller() has no option pth: there are path, host, version, scope, durable.',
    '@Module() has no provider: a module has imports, exports, controllers, providers.',
    '@Body() takes a name, then a schema, { schema, pipes } or pipes: classes or objects with transform(value, metadata).',
    'createParamDecorator() takes a function (data, context).',
  ]);
});

test('a method with decorators of routes that is none is an error', async () => {
  @Controller()
  class Forgotten {
    @HttpCode(204)
    all(): void {}
  }
  const app = await createApplication({ controllers: [Forgotten], logger: false });
  await assert.rejects(app.init(), /Forgotten\.all\(\) has decorators of routes and is none/);
});

test('options that are none are refused', async () => {
  await assert.rejects(createApplication({ controler: [] } as never), /createApplication.*controler/);
  await assert.rejects(NestFactory.create(class {}, { bodyParser: 'yes' } as never), /bodyParser/);
  await assert.rejects(
    NestFactory.create(class {}, { abortOnError: true } as never),
    /abortOnError is false: what is wrong at the start is thrown/,
  );
  const app = await createApplication({ logger: false });
  assert.throws(() => app.enableVersioning({ type: 1 } as never), /header/);
  await app.init();
  assert.throws(() => app.setGlobalPrefix('api'), /before init\(\) and listen\(\)/);
  await app.close();
});

test('sources compiled without the types of parameters are told the option and its line', () => {
  const folder = mkdtempSync(join(import.meta.dirname, 'no-types-'));
  try {
    writeFileSync(join(folder, 'tsconfig.json'), '{\n  "compilerOptions": {\n    "emitDecoratorMetadata": false\n  }\n}\n');
    writeFileSync(
      join(folder, 'main.ts'),
      `import { Injectable, NestFactory } from '../../../src/controllers/index.ts';
       class Service { constructor(given) { this.given = given; } }
       Injectable()(Service);
       await NestFactory.create({ module: class AppModule {}, providers: [Service] }).catch((error) => console.log(error.message));`,
    );
    const hooks = new URL('../../../../scripts/ts-register.mjs', import.meta.url).href;
    const { stdout } = spawnSync(process.execPath, ['--import', hooks, join(folder, 'main.ts')], { encoding: 'utf8' });
    assert.match(stdout, /^Service of AppModule has no types of its constructor's parameters: .*argument at index \[0\]/);
    assert.ok(stdout.includes(`(${join(folder, 'tsconfig.json')}:3)`), stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
