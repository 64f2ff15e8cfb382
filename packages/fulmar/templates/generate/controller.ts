import { Controller } from 'fulmar/controllers';

@Controller('sample-things')
export class SampleThingsController {}
