import { Module } from 'fulmar/controllers';

@Module({})
export class SampleThingsModule {}
