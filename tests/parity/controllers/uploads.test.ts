/**
 * Uploads through interceptors: what handlers are given, what limits say, and what becomes of files that nobody takes.
 */
import 'reflect-metadata';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { type Asked, defineControllers, type Side, type Told } from './suite.ts';

const { diskStorage } = createRequire(import.meta.url)('multer') as { diskStorage: (options: object) => unknown };

interface Part {
  readonly name: string;
  readonly text: string;
  readonly file?: string;
  readonly type?: string;
}

const BOUNDARY = 'boundary-of-a-test';

function form(path: string, parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Asked {
  const lines = parts.map(({ name, text, file, type }) => {
    const named = file === undefined ? '' : `; filename="${file}"`;
    const typed = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${named}\r\n${typed}\r\n${text}\r\n`;
  });
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return { method: 'POST', path, body: `${lines.join('')}${end}`, headers };
}

const TEXT: Part = { name: 'file', text: 'some text', file: 'a.txt', type: 'text/plain' };
const field = (name: string, text: string): Part => ({ name, text });

const shown = (value: any): unknown =>
  Array.isArray(value)
    ? value.map(shown)
    : value?.buffer
      ? { ...value, buffer: value.buffer.toString() }
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, shown(one)]))
        : value;

function ofInterceptors(n: Side) {
  @n.Controller()
  class Uploads {
    @n.Post('one')
    @n.UseInterceptors(n.FileInterceptor('file'))
    one(@n.UploadedFile() file: unknown, @n.Body() body: object) {
      return { file: shown(file), body };
    }
    @n.Post('many')
    @n.UseInterceptors(n.FilesInterceptor('file', 2))
    many(@n.UploadedFiles() files: unknown) {
      return shown(files) as object;
    }
    @n.Post('fields')
    @n.UseInterceptors(n.FileFieldsInterceptor([{ name: 'a', maxCount: 1 }, { name: 'b' }]))
    fields(@n.UploadedFiles() files: unknown, @n.Body('word') word: string) {
      return { files: shown(files), word };
    }
    @n.Post('any')
    @n.UseInterceptors(n.AnyFilesInterceptor())
    any(@n.UploadedFiles() files: unknown, @n.Body() body: object) {
      return { files: shown(files), body };
    }
    @n.Post('none')
    @n.UseInterceptors(n.NoFilesInterceptor())
    none(@n.Body() body: object) {
      return body;
    }
    @n.Post('limited')
    @n.UseInterceptors(n.FileInterceptor('file', { limits: { fileSize: 5, fields: 2, fieldSize: 4, fieldNameSize: 6, parts: 4 } }))
    limited(@n.UploadedFile() file: unknown) {
      return shown(file) as object;
    }
    @n.Post('checked')
    @n.UseInterceptors(n.FileInterceptor('file'))
    checked(
      @n.UploadedFile(
        new n.ParseFilePipeBuilder()
          .addMaxSizeValidator({ maxSize: 8 })
          .addFileTypeValidator({ fileType: 'text/plain', skipMagicNumbersValidation: true })
          .build({ errorHttpStatusCode: 422 }),
      )
      file: unknown,
    ) {
      return shown(file) as object;
    }
    @n.Post('bytes')
    @n.UseInterceptors(n.FilesInterceptor('file'))
    bytes(@n.UploadedFiles(new n.ParseFilePipe({ validators: [new n.FileTypeValidator({ fileType: /pdf/ })] })) files: unknown) {
      return shown(files) as object;
    }
    @n.Post('filtered')
    @n.UseInterceptors(
      n.FileInterceptor('file', {
        fileFilter: (_req: unknown, file: { originalname: string }, done: (error: Error | null, ok: boolean) => void) => {
          if (file.originalname === 'thrown') throw new n.ForbiddenException('no');
          done(file.originalname === 'bad' ? new n.BadRequestException('bad file') : null, file.originalname !== 'skip');
        },
      }),
    )
    filtered(@n.UploadedFile() file: unknown) {
      return { file: shown(file) };
    }
  }
  @n.Module({ controllers: [Uploads] })
  class App {}
  return App;
}

const many = (count: number): Part[] =>
  Array.from({ length: count }, (_none, index) => ({ ...TEXT, text: `text ${index}`, file: `${index}.txt` }));

/** Of the event loop, within which a file is removed. */
const TURNS_MAX = 100_000;

/** A folder for each side, told by its name alone. */
const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function ofDisk(n: Side, { note }: Told) {
  const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
  folders.push(folder);
  const named = {
    storage: diskStorage({
      destination: folder,
      filename: (_req: unknown, file: { originalname: string }, done: (error: null, name: string) => void) => done(null, file.originalname),
    }),
  };
  @n.Controller()
  class Disk {
    @n.Post('kept')
    @n.UseInterceptors(n.FileInterceptor('file'))
    kept(@n.UploadedFile() file: { path: string; filename: string }) {
      return { isThere: existsSync(file.path), name: file.filename };
    }
    @n.Post('refused')
    @n.UseInterceptors(n.FileInterceptor('file'))
    refused(@n.UploadedFile(new n.ParseFilePipe({ validators: [new n.MaxFileSizeValidator({ maxSize: 2 })] })) file: unknown) {
      return { file };
    }
    @n.Post('failed')
    @n.UseInterceptors(n.FileInterceptor('file'))
    failed() {
      throw new n.ConflictException();
    }
    @n.Get('list')
    async list() {
      // It is removed behind its reply.
      for (let turns = 0; turns < TURNS_MAX && existsSync(join(folder, 'refused.txt')); turns += 1) await setImmediate();
      note(readdirSync(folder).toSorted());
      return {};
    }
  }
  @n.Module({ imports: [n.MulterModule.registerAsync({ useFactory: () => Promise.resolve(named) })], controllers: [Disk] })
  class App {}
  return App;
}

defineControllers([
  {
    name: 'interceptors for uploads give handlers files and fields',
    app: ofInterceptors,
    requests: [
      form('/one', [TEXT, field('a', '1'), field('b[c][]', '2'), field('b[c][]', '3')]),
      form('/one', [field('a', '1')]),
      { method: 'POST', path: '/one', body: { json: true } },
      { method: 'POST', path: '/one' },
      form('/many', many(2)),
      form('/fields', [{ ...TEXT, name: 'a' }, { ...TEXT, name: 'b' }, { ...TEXT, name: 'b', file: 'ü.txt' }, field('word', 'x')]),
      form('/any', [
        { ...TEXT, name: 'x' },
        { ...TEXT, name: 'y', type: 'application/octet-stream' },
        field('list[2]', 'c'),
        field('list[0]', 'a'),
      ]),
      form('/none', [field('a', '1'), field('__proto__', '2'), field('constructor', '3')]),
    ],
  },
  {
    name: 'what multer refuses is told with the exceptions of Nest',
    app: ofInterceptors,
    requests: [
      form('/many', many(3)),
      form('/one', [{ ...TEXT, name: 'other' }]),
      form('/none', [TEXT]),
      form('/fields', [
        { ...TEXT, name: 'a' },
        { ...TEXT, name: 'a' },
      ]),
      form('/limited', [TEXT]),
      form('/limited', [field('a', 'x'), field('b', 'x'), field('c', 'x')]),
      form('/limited', [field('a', 'too long')]),
      form('/limited', [field('a-long-name', 'x')]),
      form('/one', [field(`a${'[b]'.repeat(40)}`, 'x')]),
      form('/one', [field('a[5000]', 'x')]),
      form('/one', [TEXT], ''),
      { method: 'POST', path: '/one', body: 'x', headers: { 'content-type': 'multipart/form-data' } },
      { method: 'POST', path: '/one', body: 'x', headers: { 'content-type': 'multipart/mixed; boundary=x' } },
      {
        method: 'POST',
        path: '/one',
        body: `--${BOUNDARY}\r\nno field\r\n\r\n--${BOUNDARY}--\r\n`,
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      },
    ],
  },
  {
    name: 'uploaded files go through pipes and filters',
    app: ofInterceptors,
    requests: [
      form('/checked', [{ ...TEXT, text: 'short' }]),
      form('/checked', [TEXT]),
      form('/checked', [{ ...TEXT, text: 'short', type: 'text/html' }]),
      form('/checked', []),
      form('/bytes', [{ ...TEXT, text: '%PDF-1.7 ...' }]),
      form('/bytes', [TEXT]),
      form('/bytes', []),
      ...['ok', 'bad', 'skip', 'thrown'].map((file) => form('/filtered', [{ ...TEXT, file }])),
    ],
  },
  {
    name: 'files on disk are kept, but for those that a pipe refuses',
    app: ofDisk,
    requests: [
      form('/kept', [{ ...TEXT, file: 'kept.txt' }]),
      form('/failed', [{ ...TEXT, file: 'failed.txt' }]),
      form('/refused', [{ ...TEXT, file: 'refused.txt' }]),
      '/list',
    ],
  },
]);
