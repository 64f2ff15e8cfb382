/**
 * What pipes have that Nest's have not: other bodies of errors, and what is told of wrong options when they are made.
 * What they share is compared in `tests/parity/controllers/pipes.test.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'class-transformer';
import { IsEmail, IsInt, Min, ValidateNested } from 'class-validator';
import {
  Body,
  Controller,
  DetailedErrorFormatter,
  FileTypeValidator,
  FileValidator,
  FormatErrorFormatter,
  MaxFileSizeValidator,
  Module,
  NestFactory,
  ParseFilePipe,
  ParseFilePipeBuilder,
  ParseIntPipe,
  ParseUUIDPipe,
  Post,
  ProblemErrorFormatter,
  SimpleErrorFormatter,
  UsePipes,
  type ValidationErrorFormatter,
  ValidationPipe,
} from '../../../src/controllers/index.ts';

class Inner {
  @IsInt()
  @Min(2)
  id!: number;
}
class Outer {
  @IsEmail()
  email!: string;
  @ValidateNested()
  @Type(() => Inner)
  inner!: Inner;
}

async function refused(errorFormat: ValidationErrorFormatter, options: object = {}): Promise<{ status: number; body: unknown }> {
  @Controller()
  class Given {
    @Post()
    @UsePipes(new ValidationPipe({ errorFormat, ...options }))
    post(@Body() body: Outer): Outer {
      return body;
    }
  }
  @Module({ controllers: [Given] })
  class App {}
  const app = await NestFactory.create(App, { logger: false });
  const reply = await app.inject({ method: 'POST', url: '/', body: { email: 'no', inner: { id: 'x' } } });
  await app.close();
  return { status: reply.status, body: reply.json() };
}

const EMAIL = 'email must be an email';
const INNER = ['id must not be less than 2', 'id must be an integer number'];

test('errors of validation by field, as a list, with values, as a problem', async () => {
  assert.deepEqual(await refused(new FormatErrorFormatter()), { status: 400, body: { email: [EMAIL], 'inner.id': INNER } });
  assert.deepEqual(await refused(new SimpleErrorFormatter()), { status: 400, body: [EMAIL, ...INNER] });
  assert.deepEqual(await refused(new DetailedErrorFormatter(), { errorHttpStatusCode: 422 }), {
    status: 422,
    body: [{ field: 'email', message: EMAIL, value: 'no' }, ...INNER.map((message) => ({ field: 'inner.id', message, value: 'x' }))],
  });
  assert.deepEqual(await refused(new ProblemErrorFormatter()), {
    status: 400,
    body: {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'What was sent does not fit.',
      errors: [
        { field: 'email', messages: [EMAIL] },
        { field: 'inner.id', messages: INNER },
      ],
    },
  });
});

test('a limit of messages is said in other bodies as well', async () => {
  const { body } = await refused(new FormatErrorFormatter(), { maxErrorMessagesLength: 1 });
  assert.deepEqual(body, { email: [EMAIL], '...': ['Further validation errors were omitted'] });
});

test('wrong options are told when a pipe is made', () => {
  assert.throws(
    () => new ParseIntPipe({ errorHttpStatusCode: 299 }),
    /errorHttpStatusCode of ParseIntPipe .* this is 299: take one of 400, 401/,
  );
  assert.throws(() => new ParseIntPipe({ exceptionFactory: 'no' as never }), /exceptionFactory of ParseIntPipe is a function/);
  assert.throws(() => new ParseUUIDPipe({ version: '9' as never }), /version of ParseUUIDPipe is '1' to '8' or 'all', and this is 9/);
  assert.throws(() => new ValidationPipe({ errorFormat: 'lines' as never }), /errorFormat of ValidationPipe .* this is "lines"/);
  assert.throws(() => new ParseFilePipe({ validators: [{} as never] }), /validators of ParseFilePipe are objects with isValid\(\)/);
});

test('what bytes stand for in the place of a nested class is refused', async () => {
  const pipe = new ValidationPipe({ transform: true, exceptionFactory: (errors) => Object.assign(new Error('no'), { errors }) });
  const given = { email: 'a@b.co', inner: Buffer.from('x') };
  await assert.rejects(pipe.transform(given, { type: 'body', metatype: Outer }), (error: { errors?: unknown }) => {
    const constraints = { nestedValidation: 'nested property inner must be either object or array' };
    assert.deepEqual(error.errors, [{ property: 'inner', constraints, children: [] }]);
    return true;
  });
});

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const file = (mimetype: string, buffer?: Buffer): any => ({ mimetype, size: buffer?.length ?? 3, ...(buffer && { buffer }) });

test('a file is asked for its size and its type', async () => {
  const pipe = new ParseFilePipeBuilder()
    .addMaxSizeValidator({ maxSize: 100 })
    .addFileTypeValidator({ fileType: 'image/png' })
    .build({ errorHttpStatusCode: 422 });
  const good = file('text/plain', PNG);
  assert.equal(await pipe.transform(good), good);
  const refusedAs = (value: unknown, message: string): Promise<void> =>
    assert.rejects(pipe.transform(value), (error: { message?: string; status?: number }) => {
      assert.deepEqual([error.status, error.message], [422, message]);
      return true;
    });
  await refusedAs(undefined, 'File is required');
  await refusedAs([], 'File is required');
  await refusedAs(file('a/b', Buffer.alloc(100)), 'Validation failed (current file size is 100, expected size is less than 100)');
  await refusedAs(
    [good, file('image/png', Buffer.from('text'))],
    'Validation failed (file type could not be detected from its content; expected type is image/png)',
  );
  const unread = 'file buffer is not available; file type validation could not be performed';
  await refusedAs(file('image/png'), `Validation failed (${unread}; expected type is image/png)`);
  assert.equal(await new ParseFilePipe({ fileIsRequired: false }).transform(undefined), undefined);
});

test('a type may be what the client says, and a pattern', async () => {
  const said = new FileTypeValidator({ fileType: 'audio/wav', skipMagicNumbersValidation: true });
  assert.deepEqual(
    [await said.isValid(file('audio/wav')), await said.isValid(file('audio/wavpack')), await said.isValid()],
    [true, false, false],
  );
  const pattern = new FileTypeValidator({ fileType: /^image\//g, fallbackToMimetype: true });
  assert.deepEqual([await pattern.isValid(file('image/x')), await pattern.isValid(file('text/x'))], [true, false]);
  assert.equal(
    new MaxFileSizeValidator({ maxSize: 1, errorMessage: ({ config }) => `over ${config.maxSize}` }).buildErrorMessage(),
    'over 1',
  );
});

test("validators are also an application's own", async () => {
  class Odd extends FileValidator<{ of: number }> {
    isValid({ size }: { size: number }): boolean {
      return size % this.validationOptions.of === 1;
    }
    buildErrorMessage(): string {
      return 'even';
    }
  }
  const pipe = new ParseFilePipe({ validators: [new Odd({ of: 2 })] });
  await assert.rejects(pipe.transform({ size: 2 }), /even/);
  assert.deepEqual(await pipe.transform({ size: 3 }), { size: 3 });
});
