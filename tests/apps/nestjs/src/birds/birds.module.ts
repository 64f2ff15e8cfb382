import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { BirdsController } from './birds.controller.js';
import { BirdsService, ISLAND, VisitService } from './birds.service.js';
import { VisitsController } from './visits.controller.js';

@Module({})
export class BirdsModule {
  static forIsland(name: string): DynamicModule {
    return {
      module: BirdsModule,
      controllers: [BirdsController, VisitsController],
      providers: [BirdsService, VisitService, { provide: ISLAND, useFactory: () => Promise.resolve(name) }],
      exports: [BirdsService],
    };
  }
}
