import { type ArgumentMetadata, Injectable, type PipeTransform } from 'fulmar/controllers';

@Injectable()
export class SampleThingsPipe implements PipeTransform {
  transform(value: unknown, _metadata: ArgumentMetadata): unknown {
    return value;
  }
}
