/** Work beside requests: @nestjs/schedule and @nestjs/event-emitter. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { JobsApplication } from './jobs.module';

async function start(): Promise<void> {
  const app = await NestFactory.create(JobsApplication, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
