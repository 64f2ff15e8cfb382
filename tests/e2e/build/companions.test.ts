/**
 * Packages that Fulmar asks the application for by name, which no source of its imports: built in where `package.json` lists
 * them, told where it does not.
 */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeProject } from '../cli/support.ts';
import { executable, file } from './support.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const timeout = 120_000;

const APPLICATION = `import 'reflect-metadata';
import { Body, Controller, createApplication, FileInterceptor, Get, Module, Post, UploadedFile, UseInterceptors, ValidationPipe } from 'fulmar/controllers';
import { DocumentBuilder, SwaggerModule } from 'fulmar/controllers/openapi';
import { IsInt } from 'class-validator';

class Bird {
  @IsInt()
  count: number;
}
@Controller()
class Birds {
  @Post()
  add(@Body(new ValidationPipe()) bird: Bird) {
    return bird;
  }
  @Post('file')
  @UseInterceptors(FileInterceptor('file'))
  upload(@UploadedFile() file: { buffer: Uint8Array }) {
    return { bytes: file.buffer.length };
  }
}
const app = await createApplication({ controllers: [Birds], cors: true });
SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, new DocumentBuilder().build()));
await app.init();
const told: unknown[] = [];
const ask = async (path: string, body?: string | FormData) => {
  const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const reply = await app.fetch(new Request('http://localhost' + path, body === undefined ? {} : { method: 'POST', body, headers }));
  const text = await reply.text();
  told.push([reply.status, path.startsWith('/docs') ? text.length > 100 : JSON.parse(text)]);
};
await ask('/', '{"count":1}');
await ask('/', '{"count":"many"}');
const form = new FormData();
form.append('file', new Blob(['four']), 'a.txt');
await ask('/file', form);
await ask('/docs');
await ask('/docs/swagger-ui-bundle.js');
console.log(JSON.stringify(told));
await app.close();
`;

const ALL = ['class-transformer', 'class-validator', 'cors', 'multer', 'swagger-ui-dist'];

function projectWith(listed: readonly string[]): string {
  const dependencies = Object.fromEntries(listed.map((name) => [name, '*']));
  const project = writeProject({
    'package.json': JSON.stringify({ type: 'module', dependencies }),
    'tsconfig.json': JSON.stringify({ compilerOptions: { target: 'es2022', experimentalDecorators: true, emitDecoratorMetadata: true } }),
    'main.ts': APPLICATION,
  });
  for (const name of [...ALL, 'fulmar', 'reflect-metadata']) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place);
  }
  return project;
}

for (const kind of [file, executable])
  describe(`packages that are asked for by name, in ${kind.name === 'file' ? 'a file' : 'an executable'}`, () => {
    test('are carried where the application lists them', { timeout }, async () => {
      const built = await kind.build(projectWith(ALL), 'main.ts');
      assert.deepEqual(await kind.runToValue(built), [
        [201, { count: 1 }],
        [400, { message: ['count must be an integer number'], error: 'Bad Request', statusCode: 400 }],
        [201, { bytes: 4 }],
        [200, true],
        [200, true],
      ]);
    });

    test('are told where it does not', { timeout }, async () => {
      for (const left of ['class-validator', 'multer', 'swagger-ui-dist']) {
        // A source imports class-validator: what it imports is there, and is not what is asked for by name.
        const built = await kind.build(projectWith(ALL.filter((name) => name !== left)), 'main.ts');
        const { code, stderr } = await kind.run(built).ended;
        assert.notEqual(code, 0);
        assert.match(
          stderr,
          new RegExp(`${left} is not installed where the application finds it: npm install ${left}, list it in the dependencies of`),
        );
      }
    });
  });
