/** Versions, events, and what is shown of an entity: VersioningType.URI, @Sse, ClassSerializerInterceptor, mapped types. */
import 'reflect-metadata';
import { ClassSerializerInterceptor, ValidationPipe, VersioningType } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { CatalogApplication } from './catalog.module';

async function start(): Promise<void> {
  const app = await NestFactory.create(CatalogApplication, { logger: ['error', 'warn'] });
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
