/** Cats, as in Nest's overview: controllers, providers, middleware, filters, pipes, guards, interceptors, decorators. */
import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CatsApplication } from './cats.module';
import { TeapotFilter } from './teapot.filter';

async function start(): Promise<void> {
  const app = await NestFactory.create(CatsApplication, { logger: ['error', 'warn'] });
  app.setGlobalPrefix('api', { exclude: ['health'] });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  app.useGlobalFilters(new TeapotFilter());
  app.enableCors({ origin: 'https://cats.example', credentials: true });
  app.enableShutdownHooks();
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
