/** A file that somebody has uploaded, and what of it is told. */
import { ApiProperty } from 'fulmar/controllers/openapi';
import { Page } from '../common/page.ts';

export interface NewFile {
  readonly owner: number;
  /** As its owner calls it: never a path. */
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** Its name on the disk. */
  readonly stored: string;
}

export interface StoredFile extends NewFile {
  readonly id: number;
  readonly created: Date;
}

export interface Usage {
  readonly files: number;
  readonly bytes: number;
}

export class FileView {
  @ApiProperty({ type: 'integer' })
  id: number;
  @ApiProperty()
  name: string;
  @ApiProperty()
  type: string;
  @ApiProperty({ type: 'integer' })
  bytes: number;
  @ApiProperty()
  created: Date;

  static of({ id, name, type, bytes, created }: StoredFile): FileView {
    return Object.assign(new FileView(), { id, name, type, bytes, created });
  }
}

export class FilePage extends Page<FileView> {
  @ApiProperty({ type: [FileView] })
  override items: FileView[];
}

export class UsageView {
  @ApiProperty({ type: 'integer' })
  bytes: number;
}

export class UsageDetails extends UsageView {
  @ApiProperty({ type: 'integer' })
  files: number;
  @ApiProperty({ type: 'integer', description: 'So many an account may have.' })
  bytesMax: number;
}
