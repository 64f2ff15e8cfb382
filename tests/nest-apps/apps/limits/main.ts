/** What protects and watches an API: @nestjs/throttler, @nestjs/cache-manager, @nestjs/terminus, @nestjs/axios. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { LimitsApplication } from './limits.module';

async function start(): Promise<void> {
  const app = await NestFactory.create(LimitsApplication, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
