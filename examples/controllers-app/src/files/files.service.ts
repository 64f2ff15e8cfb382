/** Files of accounts: the record and the content together. */
import { ConflictException, Injectable, NotFoundException, type OnModuleInit, UnsupportedMediaTypeException } from 'fulmar/controllers';
import { type Caller, mayAct } from '../common/access.ts';
import { withoutControls } from '../common/text.ts';
import { FeedService } from '../feed/feed.service.ts';
import { Settings } from '../settings/settings.ts';
import { UsersService } from '../users/users.service.ts';
import { Disk } from './disk.ts';
import type { StoredFile, Usage } from './file.ts';
import { FilesRepository } from './files.repository.ts';
import { isOfType, SIGNATURE_BYTES } from './types.ts';
import type { Upload } from './upload.ts';

const NAME_LENGTH_MAX = 255;
/** So many are removed before it is looked again. */
const BATCH = 100;

@Injectable()
export class FilesService implements OnModuleInit {
  constructor(
    private readonly settings: Settings,
    private readonly files: FilesRepository,
    private readonly disk: Disk,
    private readonly feed: FeedService,
    private readonly users: UsersService,
  ) {}

  onModuleInit(): void {
    this.users.beforeRemoval((owner) => this.#removeAll(owner));
  }

  /** Takes what was received, or leaves nothing of it. @throws UnsupportedMediaTypeException, ConflictException */
  async add(owner: number, upload: Upload): Promise<StoredFile> {
    try {
      if (!isOfType(upload.mimetype, await this.disk.firstBytes(upload.path, SIGNATURE_BYTES)))
        throw new UnsupportedMediaTypeException(`The content is no ${upload.mimetype}`);
      return await this.#keep(owner, upload);
    } finally {
      await this.disk.drop(upload.path);
    }
  }

  async #keep(owner: number, { originalname, mimetype: type, path, size: bytes }: Upload): Promise<StoredFile> {
    // The content first: a record without one would be worse than the other way round.
    const stored = await this.disk.keep(path);
    try {
      const file = await this.files.add({ owner, name: toName(originalname), type, bytes, stored }, this.settings.accountBytesMax);
      if (file === null)
        throw new ConflictException(`An account may have ${this.settings.accountBytesMax} bytes, and with this it has more`);
      this.feed.tell('file-added', { id: file.id, owner, name: file.name });
      return file;
    } catch (error) {
      await this.disk.remove(stored);
      throw error;
    }
  }

  list(owner: number, after: number, count: number): Promise<StoredFile[]> {
    return this.files.list(owner, after, count);
  }

  usage(owner: number): Promise<Usage> {
    return this.files.usage(owner);
  }

  /** Of others it is not told whether they are there. @throws NotFoundException */
  async one(id: number, caller: Caller): Promise<StoredFile> {
    const file = await this.files.find(id);
    if (file === null || !mayAct(caller, file.owner)) throw new NotFoundException('There is no such file');
    return file;
  }

  /** @throws NotFoundException */
  async remove(id: number, caller: Caller): Promise<void> {
    await this.#remove(await this.one(id, caller));
  }

  async #removeAll(owner: number): Promise<void> {
    for (;;) {
      const files = await this.files.list(owner, 0, BATCH);
      if (files.length === 0) return;
      for (const file of files) await this.#remove(file);
    }
  }

  async #remove({ id, owner, stored }: StoredFile): Promise<void> {
    if (!(await this.files.remove(id))) return;
    await this.disk.remove(stored);
    this.feed.tell('file-removed', { id, owner });
  }
}

/** It is shown to people and said in `Content-Disposition`, and that is all it is for. */
function toName(given: string): string {
  const name = withoutControls(given.split(/[/\\]/).at(-1) ?? '').trim();
  return [...name].slice(0, NAME_LENGTH_MAX).join('') || 'unnamed';
}
