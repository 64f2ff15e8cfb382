/**
 * Uploads whose client leaves: nobody's fault, so that filters are told and no log is. The rest is compared with Nest's in
 * `tests/parity/controllers/uploads.test.ts`.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  type ArgumentsHost,
  BaseExceptionFilter,
  Controller,
  createApplication,
  FileInterceptor,
  Post,
  UseInterceptors,
} from '../../src/controllers/index.ts';

test('an upload whose client leaves is no error of the server', { timeout: 20_000 }, async () => {
  let begun = (): void => undefined;
  const received = new Promise<void>((resolve) => (begun = resolve));
  const fileFilter = (_req: unknown, _file: unknown, done: (error: null, isTaken: boolean) => void): void => {
    begun();
    done(null, true);
  };
  @Controller()
  class Uploads {
    @Post()
    @UseInterceptors(FileInterceptor('file', { fileFilter }))
    add(): void {}
  }
  const logged: unknown[] = [];
  const app = await createApplication({
    controllers: [Uploads],
    logger: { error: (...all: unknown[]) => logged.push(all), log() {}, warn() {} },
  });
  const seen = new Promise<unknown>((resolve) => {
    class Watching extends BaseExceptionFilter {
      override catch(error: unknown, host: ArgumentsHost): void {
        BaseExceptionFilter.prototype.catch.call(this, error, host);
        resolve(error);
      }
    }
    app.useGlobalFilters(new Watching());
  });
  const { port } = (await app.listen(0, '127.0.0.1')).address() as AddressInfo;
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '1000' };
  const request = http.request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false });
  request.once('error', () => undefined);
  request.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of');
  await received;
  request.destroy();
  assert.match(String(await seen), /^BadRequestException: Request (?:aborted|closed)$/);
  assert.deepEqual(logged, []);
  await app.close();
});
