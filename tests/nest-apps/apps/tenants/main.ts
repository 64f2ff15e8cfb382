/** Scopes and dynamic modules: a service for each request, a durable one for each tenant, modules that stand on each other. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { TenantsApplication } from './tenants.module';

async function start(): Promise<void> {
  const app = await NestFactory.create(TenantsApplication, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
