/** Uploads, files that are streamed, and a folder of files beside the API (@nestjs/serve-static). */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FilesApplication } from './files.module';

async function start(): Promise<void> {
  const app = await NestFactory.create(FilesApplication, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
