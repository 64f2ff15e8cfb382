// NestJS on Fastify in the style of docs.nestjs.com: one application, made of the module of the scenario that
// the harness names in `SCENARIO`. It never logs and never loads what its scenario does not use.
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadScenario } from './scenario.js';

const { module, configure } = await loadScenario(process.env.SCENARIO ?? 'hello-text');
const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false });
await configure?.(app);
await app.listen(Number(process.env.PORT), '127.0.0.1');
