/** Configuration with @nestjs/config: a file, validation, namespaces, asynchronous modules that stand on it. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ConfigService } from '@nestjs/config';
import { ConfigApplication } from './config.module';

async function start(): Promise<void> {
  const app = await NestFactory.create(ConfigApplication, { logger: ['error', 'warn'] });
  const name = app.get(ConfigService).getOrThrow<string>('APP_NAME');
  app.setGlobalPrefix(name.toLowerCase());
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
