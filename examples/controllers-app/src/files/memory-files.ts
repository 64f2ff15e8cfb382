/** Records of files in the memory of this process. Their content is on the disk all the same, and is lost sight of at the end. */
import type { NewFile, StoredFile, Usage } from './file.ts';
import { FilesRepository } from './files.repository.ts';

export class MemoryFiles extends FilesRepository {
  readonly #files = new Map<number, StoredFile>();
  #lastId = 0;

  async add(given: NewFile, bytesMax: number): Promise<StoredFile | null> {
    if (this.#usage(given.owner).bytes + given.bytes > bytesMax) return null;
    const file = { ...given, id: (this.#lastId += 1), created: new Date() };
    this.#files.set(file.id, file);
    return file;
  }

  async find(id: number): Promise<StoredFile | null> {
    return this.#files.get(id) ?? null;
  }

  async list(owner: number, after: number, count: number): Promise<StoredFile[]> {
    return this.#of(owner)
      .filter(({ id }) => id > after)
      .slice(0, count);
  }

  async usage(owner: number): Promise<Usage> {
    return this.#usage(owner);
  }

  async remove(id: number): Promise<boolean> {
    return this.#files.delete(id);
  }

  #of(owner: number): StoredFile[] {
    return [...this.#files.values()].filter((file) => file.owner === owner);
  }

  #usage(owner: number): Usage {
    const files = this.#of(owner);
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  }
}
