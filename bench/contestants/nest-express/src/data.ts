// A large list behind the compression middleware that docs.nestjs.com/techniques/compression names. Read
// once, serialised for each request.
import { readFileSync } from 'node:fs';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import compression from 'compression';

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

export function configure(app: INestApplication) {
  app.use(compression());
}
