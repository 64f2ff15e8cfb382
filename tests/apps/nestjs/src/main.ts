import 'reflect-metadata';
import { ConsoleLogger, ValidationPipe, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { EnvelopeInterceptor } from './common/envelope.interceptor.js';
import { IslandErrorFilter } from './common/island-error.filter.js';

const app = await NestFactory.create<NestExpressApplication>(AppModule, {
  logger: new ConsoleLogger({ colors: false, timestamp: false, logLevels: ['error', 'warn'] }),
  rawBody: true,
});
app.disable('x-powered-by');
app.set('trust proxy', 'loopback');
app.useBodyParser('json', { limit: '300kb' });
app.useBodyParser('text');
app.useBodyParser('urlencoded', { extended: true });
app.useStaticAssets(new URL('../public/', import.meta.url).pathname, { prefix: '/assets/', maxAge: '1h' });
app.setGlobalPrefix('api', { exclude: ['/', 'health'] });
app.enableVersioning({ type: VersioningType.URI });
app.enableCors({ origin: ['https://cliff.example'], credentials: true, exposedHeaders: ['X-Request-Id'], maxAge: 600 });
app.useGlobalPipes(
  new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    transformOptions: { enableImplicitConversion: true },
  }),
);
app.useGlobalFilters(new IslandErrorFilter());
app.useGlobalInterceptors(new EnvelopeInterceptor());
app.enableShutdownHooks();
await app.listen(process.env['PORT'] ?? 3000);
console.log(`listening on ${(await app.getUrl()).replace('[::1]', 'localhost')}`);
