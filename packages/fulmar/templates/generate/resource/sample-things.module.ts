import { Module } from 'fulmar/controllers';
import { SampleThingsController } from './sample-things.controller';
import { SampleThingsService } from './sample-things.service';

@Module({
  controllers: [SampleThingsController],
  providers: [SampleThingsService],
})
export class SampleThingsModule {}
