import { HttpException, Injectable, NotFoundException } from 'fulmar/controllers';
import { CreateSampleThingDto } from './dto/create-sample-thing.dto';
import { UpdateSampleThingDto } from './dto/update-sample-thing.dto';
import { SampleThing } from './entities/sample-thing.entity';

/** What is in memory has a limit. */
const STORED_MAX = 1000;
const INSUFFICIENT_STORAGE = 507;

/** Keeps all in memory: replace the map by a database. */
@Injectable()
export class SampleThingsService {
  private readonly stored = new Map<number, SampleThing>();
  private lastId = 0;

  create(given: CreateSampleThingDto): SampleThing {
    if (this.stored.size >= STORED_MAX) throw new HttpException(`There is room for ${STORED_MAX}. Remove some.`, INSUFFICIENT_STORAGE);
    return this.store({ id: ++this.lastId, name: given.name });
  }

  findAll(): SampleThing[] {
    return [...this.stored.values()];
  }

  findOne(id: number): SampleThing {
    const found = this.stored.get(id);
    if (found === undefined) throw new NotFoundException(`There is no sample thing ${id}`);
    return found;
  }

  update(id: number, given: UpdateSampleThingDto): SampleThing {
    const found = this.findOne(id);
    // What is left out stays as it is: a member that is not given may be there all the same, as `undefined`.
    const { name = found.name } = given;
    return this.store({ ...found, name });
  }

  remove(id: number): void {
    this.stored.delete(this.findOne(id).id);
  }

  private store(one: SampleThing): SampleThing {
    this.stored.set(one.id, one);
    return one;
  }
}
