import { Injectable } from 'fulmar/controllers';

@Injectable()
export class SampleThingsService {}
