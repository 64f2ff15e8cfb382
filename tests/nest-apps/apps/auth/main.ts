/** Authentication with @nestjs/passport (local, jwt) and @nestjs/jwt; roles; a guard for the whole application. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AuthApplication } from './auth.module';

async function start(): Promise<void> {
  const app = await NestFactory.create(AuthApplication, { logger: ['error', 'warn'] });
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
