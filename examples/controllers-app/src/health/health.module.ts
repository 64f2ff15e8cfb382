/** What a probe asks. */
import { Module } from 'fulmar/controllers';
import { HealthController } from './health.controller.ts';

@Module({ controllers: [HealthController] })
export class HealthModule {}
