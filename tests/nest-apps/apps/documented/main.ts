/** A documented API: @nestjs/swagger, whose names lead to fulmar/controllers/openapi. */
import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { DocumentedApplication } from './documented.module';

async function start(): Promise<void> {
  const app = await NestFactory.create(DocumentedApplication, { logger: ['error', 'warn'] });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true }));
  const config = new DocumentBuilder().setTitle('Notes').setVersion('1.0').addBearerAuth().addTag('notes').build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, config));
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
