/**
 * `compression()`: WynkJS's options, the application's package.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compression, type CompressionOptions, Controller, Get, Module, NestFactory } from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

@Controller()
class Texts {
  @Get('long')
  long() {
    return { text: 'a'.repeat(2000) };
  }
  @Get('short')
  short() {
    return { text: 'a' };
  }
}
@Module({ controllers: [Texts] })
class App {}

async function codingOf(url: string, accepted: string, options?: CompressionOptions): Promise<unknown> {
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.use(compression(options));
  return (await app.inject({ url, headers: { 'accept-encoding': accepted } })).headers['content-encoding'];
}

test('long replies are in a coding that the client takes and the application wants', async () => {
  assert.equal(await codingOf('/long', 'gzip, br'), 'br');
  assert.equal(await codingOf('/long', 'gzip, br', { encodings: ['gzip'] }), 'gzip');
  assert.equal(await codingOf('/long', '*', { encodings: ['gzip'] }), 'gzip');
  assert.equal(await codingOf('/long', 'br', { encodings: ['gzip'] }), undefined);
  assert.equal(await codingOf('/short', 'gzip'), undefined);
  assert.equal(await codingOf('/short', 'gzip', { threshold: 0, zlibOptions: { level: 1 } }), 'gzip');
});

test('options that are none are told', () => {
  assert.throws(() => compression({ encodings: ['zstd' as never] }), /encodings is a list of br, gzip, deflate/);
  assert.throws(() => compression({ treshold: 1 } as never), /no option treshold; did you mean threshold/);
});
