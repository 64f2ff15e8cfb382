import { HttpException, Injectable, NotFoundException } from 'fulmar/controllers';
import { CreateNoteDto } from './dto/create-note.dto';
import { UpdateNoteDto } from './dto/update-note.dto';
import { Note } from './entities/note.entity';

/** What is in memory has a limit. */
const STORED_MAX = 1000;
const INSUFFICIENT_STORAGE = 507;

/** Keeps all in memory: replace the map by a database. */
@Injectable()
export class NotesService {
  private readonly stored = new Map<number, Note>();
  private lastId = 0;

  create(given: CreateNoteDto): Note {
    if (this.stored.size >= STORED_MAX)
      throw new HttpException(`There is room for ${STORED_MAX} notes. Remove some.`, INSUFFICIENT_STORAGE);
    return this.store({ id: ++this.lastId, title: given.title, text: given.text });
  }

  findAll(): Note[] {
    return [...this.stored.values()];
  }

  findOne(id: number): Note {
    const found = this.stored.get(id);
    if (found === undefined) throw new NotFoundException(`There is no note ${id}`);
    return found;
  }

  update(id: number, given: UpdateNoteDto): Note {
    const found = this.findOne(id);
    // What is left out stays as it is: a member that is not given may be there all the same, as `undefined`.
    const { title = found.title, text = found.text } = given;
    return this.store({ ...found, title, text });
  }

  remove(id: number): void {
    this.stored.delete(this.findOne(id).id);
  }

  private store(one: Note): Note {
    this.stored.set(one.id, one);
    return one;
  }
}
