/** `fulmar/controllers` on the native host: injection by types, interceptors with an `rxjs` that the program carries. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fulmar, writeProject } from '../cli/support.ts';

const tsconfig = { compilerOptions: { target: 'es2022', experimentalDecorators: true, emitDecoratorMetadata: true } };

test('classes are injected, guarded and intercepted', { timeout: 60_000 }, async () => {
  const project = writeProject({
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify(tsconfig),
    'main.ts': `import { Body, Controller, createApplication, Get, Injectable, NotFoundException, Param, Post, Req, Res, UseGuards, UseInterceptors } from 'fulmar/controllers';
import { map } from 'rxjs';

@Injectable()
class Service {
  find(id: string) {
    if (id !== '1') throw new NotFoundException();
    return { id };
  }
}
@Controller('things')
@UseGuards({ canActivate: (context) => context.getRequest().headers.role !== 'none' })
class Things {
  constructor(private readonly service: Service) {}
  @Get(':id')
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(map((data) => ({ data }))) })
  one(@Param('id') id: string) {
    return this.service.find(id);
  }
  @Post()
  async make(@Body() body: object, @Req() req: any, @Res({ passthrough: true }) res: any) {
    res.set('X-Url', req.originalUrl);
    return body;
  }
}
const app = await createApplication({ controllers: [Things], providers: [Service] });
const server = await app.listen(0, '127.0.0.1');
const url = 'http://127.0.0.1:' + server.address().port + '/things';
const found: unknown[] = [];
const ask = async (path: string, init?: RequestInit) => {
  const reply = await fetch(url + path, init);
  found.push([reply.status, reply.headers.get('x-url'), await reply.json()]);
};
await ask('/1');
await ask('/2');
await ask('/1', { headers: { role: 'none' } });
await ask('', { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } });
console.log(JSON.stringify(found));
await app.close();
`,
  });
  mkdirSync(join(project, 'node_modules'));
  for (const [name, folder] of [
    ['fulmar', '../../../packages/fulmar'],
    ['rxjs', '../../../node_modules/rxjs'],
    ['tslib', '../../../node_modules/tslib'],
  ] as const)
    symlinkSync(fileURLToPath(new URL(folder, import.meta.url)), join(project, 'node_modules', name));
  const expected = [
    [200, null, { data: { id: '1' } }],
    [404, null, { message: 'Not Found', statusCode: 404 }],
    [403, null, { message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 }],
    [201, '/things', { a: 1 }],
  ];
  for (const host of [[], ['--native']]) {
    const { code, stdout, stderr } = await fulmar(project, ['run', ...host, 'main.ts']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), expected);
  }
});
