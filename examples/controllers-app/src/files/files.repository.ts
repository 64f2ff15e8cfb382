/** What is asked of whatever keeps the records of files; their content is on the disk. */
import type { NewFile, StoredFile, Usage } from './file.ts';

export abstract class FilesRepository {
  /** Null: with it the owner would have more than `bytesMax`, also where several are added at the same time. */
  abstract add(file: NewFile, bytesMax: number): Promise<StoredFile | null>;
  abstract find(id: number): Promise<StoredFile | null>;
  /** In the order of their ids. */
  abstract list(owner: number, after: number, count: number): Promise<StoredFile[]>;
  abstract usage(owner: number): Promise<Usage>;
  /** False: somebody else has removed it. */
  abstract remove(id: number): Promise<boolean>;
}
