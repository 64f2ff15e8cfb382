/** How uploads are received: onto the disk, one file, so large, of these types. What is refused by its head is not read. */
import { UnsupportedMediaTypeException, type MulterModuleOptions } from 'fulmar/controllers';
import type { Settings } from '../settings/settings.ts';
import type { Disk } from './disk.ts';
import { TYPES } from './types.ts';

/** What multer says of a file that it has received. */
export interface Upload {
  readonly originalname: string;
  readonly mimetype: string;
  readonly path: string;
  readonly size: number;
}

export const toUploadOptions = ({ fileBytesMax }: Settings, { incoming }: Disk): MulterModuleOptions => ({
  dest: incoming,
  // Browsers send names in UTF-8.
  defParamCharset: 'utf8',
  limits: { fileSize: fileBytesMax, files: 1, fields: 0, parts: 1 },
  fileFilter(_request: unknown, file: Upload, done: (error: Error | null, isTaken: boolean) => void) {
    if (TYPES.includes(file.mimetype)) done(null, true);
    else done(new UnsupportedMediaTypeException(`A file is one of ${TYPES.join(', ')}`), false);
  },
});
