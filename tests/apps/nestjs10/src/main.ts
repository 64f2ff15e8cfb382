import 'reflect-metadata';
import { readFile } from 'node:fs';
import { join } from 'node:path';
import { ConsoleLogger, ValidationPipe, VERSION_NEUTRAL, VersioningType } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { WsAdapter } from '@nestjs/platform-ws';
import { AppModule } from './app.module';
import { EverythingFilter } from './everything.filter';

/** Tells errors on standard output, without times and process ids. */
class PlainLogger extends ConsoleLogger {
  override error(message: unknown): void {
    console.log(`error: ${String(message).split('\n')[0]}`);
  }
}

/** A template engine as small as can be. */
function render(path: string, locals: object, done: (error: Error | null, html?: string) => void): void {
  readFile(path, 'utf8', (error, text) => {
    if (error !== null) done(error);
    else
      done(
        null,
        text.replace(/{{(\w+)}}/g, (_all, name: string) => String((locals as Record<string, unknown>)[name] ?? '')),
      );
  });
}

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, {
    logger: new PlainLogger('app', { logLevels: ['error'] }),
    bodyParser: false,
  });
  app.useBodyParser('json', { limit: '200kb', strict: false });
  app.useBodyParser('urlencoded', { extended: true });
  app.useBodyParser('raw', { type: 'application/octet-stream', limit: 100_000 });
  app.engine('html', render);
  app.setViewEngine('html');
  app.setBaseViewsDir(join(__dirname, '..', 'views'));
  app.enable('strict routing');
  app.setLocal('title', 'Tides');
  app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version', defaultVersion: VERSION_NEUTRAL });
  app.useWebSocketAdapter(new WsAdapter(app));
  app.useGlobalPipes(new ValidationPipe({ transform: true, errorHttpStatusCode: 422 }));
  app.useGlobalFilters(new EverythingFilter(app.get(HttpAdapterHost)));
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void bootstrap();
