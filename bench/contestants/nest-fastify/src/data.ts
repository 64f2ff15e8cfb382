// A large list behind the compression plugin that docs.nestjs.com/techniques/compression names. Read once,
// serialised for each request.
import { readFileSync } from 'node:fs';
import compression from '@fastify/compress';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const data = JSON.parse(readFileSync(process.env.DATA_FILE!, 'utf8')) as unknown[];

@Controller('data')
class DataController {
  @Get()
  findAll() {
    return data;
  }
}

@Module({ controllers: [DataController] })
class DataModule {}

export const module = DataModule;

export async function configure(app: NestFastifyApplication) {
  await app.register(compression);
}
