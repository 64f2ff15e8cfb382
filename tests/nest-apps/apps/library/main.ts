/** A database with @nestjs/typeorm: repositories, relations, transactions, a subscriber, and what it refuses. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { LibraryApplication } from './library.module';

async function start(): Promise<void> {
  const app = await NestFactory.create(LibraryApplication, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
