/**
 * The pipes that are there ready-made: what they let through, what they make of it, and what they say of the rest.
 */
import 'reflect-metadata';
import type { PipeTransform } from '@nestjs/common';
import { Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { z } from 'zod';
import { type Asked, defineControllers, type Side } from './suite.ts';

/** As compilers write enums. */
const Numbered = { 1: 'one', 2: 'two', one: 1, two: 2 };
const Named = { up: 'UP', down: 'DOWN' };

const kindOf = (value: unknown): object => ({
  value: value instanceof Date ? value.toISOString() : value,
  type: value === null ? 'null' : typeof value,
  class: (value as object | null | undefined)?.constructor?.name,
});

/** One route for each pipe, `/<index>?v=…`. */
function ofQueries(n: Side, pipes: readonly (readonly PipeTransform[])[]) {
  class Piped {}
  pipes.forEach((list, index) => {
    const name = `get${index}`;
    Object.defineProperty(Piped.prototype, name, { value: kindOf, writable: true, configurable: true, enumerable: false });
    n.Query('v', ...list)(Piped.prototype, name, 0);
    n.Get(String(index))(Piped.prototype, name, Object.getOwnPropertyDescriptor(Piped.prototype, name) as never);
  });
  n.Controller()(Piped);
  class App {}
  n.Module({ controllers: [Piped] })(App);
  return App;
}

const each = (count: number, queries: readonly string[]): string[] =>
  Array.from({ length: count }, (_none, index) => queries.map((query) => `/${index}${query}`)).flat();

const NUMBERS = [
  '?v=12',
  '?v=-3',
  '?v=1.5',
  '?v=1e3',
  '?v=',
  '',
  '?v=0x10',
  '?v=%2012',
  '?v=12abc',
  '?v=1&v=2',
  '?v=99999999999999999999',
  '?v=Infinity',
  '?v=-0',
];

defineControllers([
  {
    name: 'ParseIntPipe and ParseFloatPipe take numbers and nothing that only begins as one',
    app: (n) =>
      ofQueries(n, [
        [new n.ParseIntPipe()],
        [new n.ParseFloatPipe()],
        [new n.ParseIntPipe({ optional: true })],
        [new n.ParseFloatPipe({ optional: true })],
        [new n.ParseIntPipe({ errorHttpStatusCode: 406 })],
        [new n.ParseFloatPipe({ exceptionFactory: (error) => new n.ForbiddenException(`no: ${error}`) })],
      ]),
    requests: each(6, NUMBERS),
  },
  {
    name: 'ParseBoolPipe takes true and false',
    app: (n) =>
      ofQueries(n, [
        [new n.ParseBoolPipe()],
        [new n.ParseBoolPipe({ optional: true })],
        [new n.ParseBoolPipe({ errorHttpStatusCode: 422 })],
      ]),
    requests: each(3, ['?v=true', '?v=false', '?v=TRUE', '?v=1', '?v=', '', '?v=true&v=true']),
  },
  {
    name: 'ParseUUIDPipe knows the versions',
    app: (n) =>
      ofQueries(n, [
        [new n.ParseUUIDPipe()],
        [new n.ParseUUIDPipe({ version: '4' })],
        [new n.ParseUUIDPipe({ version: '7', optional: true })],
        [new n.ParseUUIDPipe({ version: 'all', errorHttpStatusCode: 404 })],
      ]),
    requests: each(4, [
      '?v=9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
      '?v=017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
      '?v=00000000-0000-0000-0000-000000000000',
      '?v=9b1deb4d-3b7d-9bad-9bdd-2b0d7b3dcb6d',
      '?v=9b1deb4d',
      '?v=a&v=b',
      '',
    ]),
  },
  {
    name: 'ParseEnumPipe takes the values of an enum',
    app: (n) =>
      ofQueries(n, [
        [new n.ParseEnumPipe(Numbered)],
        [new n.ParseEnumPipe(Named)],
        [new n.ParseEnumPipe({ a: 'x', b: 'y' }, { optional: true })],
        [new n.ParseEnumPipe(Named, { errorHttpStatusCode: 409 })],
      ]),
    requests: each(4, ['?v=1', '?v=one', '?v=UP', '?v=up', '?v=x', '?v=', '']),
  },
  { name: 'ParseEnumPipe without an enum is an error', app: (n) => ofQueries(n, [[new n.ParseEnumPipe(undefined)]]), requests: ['/0'] },
  {
    name: 'ParseDatePipe takes days that there are',
    app: (n) =>
      ofQueries(n, [
        [new n.ParseDatePipe()],
        [new n.ParseDatePipe({ optional: true })],
        [new n.ParseDatePipe({ default: () => new Date(0) })],
        [new n.ParseDatePipe({ errorHttpStatusCode: 422 })],
      ]),
    requests: each(4, [
      '?v=2024-02-29',
      '?v=2023-02-29',
      '?v=1900-02-29',
      '?v=2000-02-29T10:00:00Z',
      '?v=0000-02-29',
      '?v=2024-04-31',
      '?v=-000400-02-29',
      '?v=1700000000',
      '?v=word',
      '?v=',
      '',
      '?v=a&v=b',
    ]),
  },
  {
    name: "DefaultValuePipe stands in for what is missing, and its value is nobody else's",
    app: (n) => {
      const list = ofQueries(n, [
        [new n.DefaultValuePipe(7), new n.ParseIntPipe()],
        [new n.DefaultValuePipe(null)],
        [new n.DefaultValuePipe([{ a: [1] }])],
      ]);
      @n.Controller('kept')
      class Kept {
        @n.Get()
        get(@n.Query('v', new n.DefaultValuePipe({ list: [] as number[] })) v: { list: number[] }) {
          v.list.push(1);
          return v;
        }
      }
      class App {}
      n.Module({ imports: [list], controllers: [Kept] })(App);
      return App;
    },
    requests: [...each(3, ['?v=3', '?v=', '', '?v=x']), '/kept', '/kept'],
  },
  {
    name: 'ParseArrayPipe splits, converts and checks items',
    app: (n) => {
      class Item {
        @IsInt()
        @Min(1)
        id!: number;
        @IsOptional()
        @IsString()
        name?: string;
      }
      return ofQueries(n, [
        [new n.ParseArrayPipe()],
        [new n.ParseArrayPipe({ optional: true, separator: '|' })],
        [new n.ParseArrayPipe({ items: Number })],
        [new n.ParseArrayPipe({ items: Boolean, stopAtFirstError: false })],
        [new n.ParseArrayPipe({ items: String })],
        [new n.ParseArrayPipe({ items: Number, stopAtFirstError: false, errorHttpStatusCode: 422 })],
        [new n.ParseArrayPipe({ items: Item, separator: ';' })],
        [new n.ParseArrayPipe({ items: Item, separator: ';', stopAtFirstError: false, whitelist: true })],
        [new n.ParseArrayPipe({ items: Item, separator: ';', stopAtFirstError: false, errorFormat: 'grouped' })],
        [new n.ParseArrayPipe({ items: Item, separator: ';', stopAtFirstError: false, maxErrorMessagesLength: 10 })],
      ]);
    },
    requests: each(10, [
      '?v=1,2,3',
      '?v=a|b',
      '?v=true,false,x,1',
      '?v=1,x,,0x1,%205',
      '?v=',
      '',
      '?v=1&v=2',
      `?v=${encodeURIComponent('{"id":1,"more":2};{"id":0};{"id":"x","name":3};5')}`,
    ]),
  },
]);

function models() {
  class Address {
    @IsString()
    @IsNotEmpty()
    street!: string;
    @IsOptional()
    @MaxLength(5, { message: 'at most $constraint1 characters, not $value' })
    code?: string;
  }
  class User {
    @IsEmail()
    email!: string;
    @IsInt()
    @Min(18, { groups: ['adult'] })
    @Type(() => Number)
    age!: number;
    @IsOptional()
    @ValidateNested()
    @Type(() => Address)
    address?: Address;
    @IsOptional()
    @IsArray()
    @ArrayMinSize(1)
    @ValidateNested({ each: true })
    @Type(() => Address)
    others?: Address[];
    @IsOptional()
    @IsBoolean()
    @Transform(({ value }) => (value === 'yes' ? true : (value as unknown)))
    isNew?: boolean;
    @IsOptional()
    @MinLength(3)
    @MaxLength(4)
    @Expose({ name: 'short' })
    word?: string;
  }
  return { Address, User };
}

const post = (body: object | string, path = '/users'): Asked => ({ method: 'POST', path, body });
const raw = (body: string): Asked => ({ method: 'POST', path: '/users', body, headers: { 'content-type': 'application/json' } });

const BODIES: readonly (string | Asked)[] = [
  post({ email: 'a@b.co', age: '20' }),
  post({ email: 'a@b.co', age: 20, extra: 1, address: { street: 'x', more: 1 } }),
  post({ email: 'no', age: 'x', address: { street: '', code: 'too long' }, short: 'abcdefg' }),
  post({ email: 'a@b.co', age: 3, others: [{ street: 'x' }, { street: 1 }, 'text', null] }),
  post({ email: 'a@b.co', age: 3, others: [] }),
  post({ email: 'a@b.co', age: 3, address: 'text', isNew: 'yes' }),
  post({}),
  post([{ email: 'a@b.co' }]),
  post([]),
  raw('{"email":"a@b.co","age":1,"__proto__":{"x":1},"constructor":{"name":"Y"},"prototype":1}'),
  raw('{"email":"a@b.co","age":1,"address":{"constructor":null,"street":"s"}}'),
  { method: 'POST', path: '/users' },
  '/users/12?flag=true&n=5&s=6',
  '/users/x?flag=1&n=&email=a',
];

/** What a handler is given by a pipe of these options. */
function ofUsers(n: Side, options: object, models_ = models()) {
  const { User } = models_;
  class Users {
    create(user: unknown) {
      const { address, others } = (user ?? {}) as { address?: object; others?: object[] };
      return { user, is: user instanceof User, classes: [address?.constructor?.name, others?.map((one) => one?.constructor?.name)] };
    }
    find(id: unknown, flag: unknown, count: unknown, text: unknown, all: unknown) {
      return [id, flag, count, text].map((value) => [typeof value, String(value)]).concat([[typeof all, JSON.stringify(all)]]);
    }
  }
  const types = (name: string, ...list: unknown[]): void => Reflect.defineMetadata('design:paramtypes', list, Users.prototype, name);
  types('create', User);
  types('find', Number, Boolean, Number, String, Object);
  n.Body()(Users.prototype, 'create', 0);
  n.Param('id')(Users.prototype, 'find', 0);
  n.Query('flag')(Users.prototype, 'find', 1);
  n.Query('n')(Users.prototype, 'find', 2);
  n.Query('s')(Users.prototype, 'find', 3);
  n.Query()(Users.prototype, 'find', 4);
  const of = (name: string): any => Object.getOwnPropertyDescriptor(Users.prototype, name);
  n.Post()(Users.prototype, 'create', of('create'));
  n.Get(':id')(Users.prototype, 'find', of('find'));
  n.Controller('users')(Users);
  class App {}
  n.Module({ controllers: [Users], providers: [{ provide: n.APP_PIPE, useFactory: () => new n.ValidationPipe(options) }] })(App);
  return App;
}

const OPTIONS: Readonly<Record<string, object>> = {
  'nothing said': {},
  transform: { transform: true },
  'transform and implicit conversion': { transform: true, transformOptions: { enableImplicitConversion: true } },
  whitelist: { whitelist: true },
  'whitelist and transform': { whitelist: true, transform: true },
  forbidNonWhitelisted: { whitelist: true, forbidNonWhitelisted: true },
  disableErrorMessages: { disableErrorMessages: true },
  'errorHttpStatusCode 422': { errorHttpStatusCode: 422 },
  stopAtFirstError: { stopAtFirstError: true },
  groups: { groups: ['adult'] },
  'errors in groups': { errorFormat: 'grouped' },
  'a limit of messages': { maxErrorMessagesLength: 40 },
  'errors in groups with a limit': { errorFormat: 'grouped', maxErrorMessagesLength: 40 },
  skipMissingProperties: { skipMissingProperties: true },
  forbidUnknownValues: { forbidUnknownValues: true },
  dismissDefaultMessages: { dismissDefaultMessages: true },
};

defineControllers([
  ...Object.entries(OPTIONS).map(([words, options]) => ({
    name: `ValidationPipe with ${words}`,
    app: (n: Side) => ofUsers(n, options),
    requests: BODIES,
  })),
  {
    name: 'exceptionFactory of ValidationPipe is given the errors, without what they were found in',
    app: (n) =>
      ofUsers(n, {
        exceptionFactory: (errors: object[]) => new n.UnprocessableEntityException({ errors }),
      }),
    requests: BODIES,
  },
  {
    name: 'expectedType stands in for the type of the parameter',
    app: (n) => {
      const { Address } = models();
      return ofUsers(n, { expectedType: Address, transform: true, validateCustomDecorators: true });
    },
    requests: BODIES.slice(0, 8),
  },
  {
    name: "a pipe may be a class, and one of an application's may extend it",
    app: (n) => {
      const { Address } = models();
      class Own extends n.ValidationPipe {
        override createExceptionFactory() {
          return (errors: any[] = []) => new n.HttpException({ own: this.flattenValidationErrors(errors) }, 418);
        }
      }
      class Places {
        plain(address: unknown) {
          return address;
        }
        own(address: unknown) {
          return address;
        }
      }
      for (const [name, pipe] of [
        ['plain', n.ValidationPipe],
        ['own', Own],
      ] as const) {
        Reflect.defineMetadata('design:paramtypes', [Address], Places.prototype, name);
        n.Body()(Places.prototype, name, 0);
        const descriptor: any = Object.getOwnPropertyDescriptor(Places.prototype, name);
        n.UsePipes(pipe)(Places.prototype, name, descriptor);
        n.Post(name)(Places.prototype, name, descriptor);
      }
      n.Controller()(Places);
      class App {}
      n.Module({ controllers: [Places] })(App);
      return App;
    },
    requests: [
      post({ street: 'a', code: '123456' }, '/plain'),
      post({ street: 'a', code: '123456' }, '/own'),
      post({ street: 'b' }, '/own'),
    ],
  },
  {
    name: 'StandardSchemaValidationPipe checks by the schema of a parameter',
    app: (n) => {
      const schema = z.object({ name: z.string().min(2), tags: z.array(z.object({ id: z.number() })).default([]) });
      class Schemas {}
      const add = (name: string, options: object, path: string): void => {
        Object.defineProperty(Schemas.prototype, name, { value: (value: unknown) => ({ value }), writable: true, configurable: true });
        n.Body({ schema } as never)(Schemas.prototype, name, 0);
        const descriptor: any = Object.getOwnPropertyDescriptor(Schemas.prototype, name);
        n.UsePipes(new n.StandardSchemaValidationPipe(options))(Schemas.prototype, name, descriptor);
        n.Post(path)(Schemas.prototype, name, descriptor);
      };
      add('one', {}, 'one');
      add('two', { transform: false, errorHttpStatusCode: 422 }, 'two');
      add('three', { maxErrorMessagesLength: 5 }, 'three');
      add('four', { exceptionFactory: (issues: { path: unknown }[]) => new n.ConflictException(issues.map(({ path }) => path)) }, 'four');
      n.Controller()(Schemas);
      class App {}
      n.Module({ controllers: [Schemas] })(App);
      return App;
    },
    requests: ['/one', '/two', '/three', '/four'].flatMap((path) => [
      post({ name: 'Ada', more: 1 }, path),
      post({ name: 'A', tags: [{ id: 'x' }, { id: 1 }, 2] }, path),
      post([], path),
    ]),
  },
]);
