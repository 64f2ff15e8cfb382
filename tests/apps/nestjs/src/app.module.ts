import { Module } from '@nestjs/common';
import type { MiddlewareConsumer, NestModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AppController } from './app.controller.js';
import { BirdsModule } from './birds/birds.module.js';
import { ChatGateway } from './chat/chat.gateway.js';
import { RolesGuard } from './common/roles.guard.js';
import { RequestIdMiddleware, slowDown } from './common/request-id.middleware.js';
import { FilesController } from './files/files.controller.js';
import { LifecycleService } from './lifecycle.service.js';
import { StreamsController } from './streams/streams.controller.js';

@Module({
  imports: [BirdsModule.forIsland('Heimaey')],
  controllers: [AppController, FilesController, StreamsController],
  providers: [ChatGateway, LifecycleService, { provide: APP_GUARD, useClass: RolesGuard }],
})
export class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(RequestIdMiddleware).forRoutes('*path');
    consumer.apply(slowDown(3)).exclude('health').forRoutes(StreamsController);
  }
}
