/**
 * What the application's multer is to the interceptors for uploads: types only, with its names.
 */

export interface MulterLimits {
  fieldNameSize?: number;
  fieldSize?: number;
  fields?: number;
  fileSize?: number;
  files?: number;
  /** Default: 1,000. */
  parts?: number;
  headerPairs?: number;
  /** Default: 32. */
  fieldNestingDepth?: number;
  /** Default: 1,000. */
  fieldArrayIndexLimit?: number;
}

type Callback = (error: Error | null, acceptFile: boolean) => void;

export interface MulterOptions {
  dest?: string | Function;
  storage?: any;
  limits?: MulterLimits | ((req: any) => MulterLimits);
  preservePath?: boolean;
  defParamCharset?: string;
  fileFilter?(req: any, file: any, callback: Callback): void;
}

export interface MulterField {
  name: string;
  maxCount?: number;
}

export type UploadMiddleware = (req: any, res: any, next: (error?: unknown) => void) => void;
export interface Multer {
  readonly storage: { _removeFile(req: unknown, file: unknown, callback: (error: Error | null) => void): void };
  single(fieldName: string): UploadMiddleware;
  array(fieldName: string, maxCount?: number): UploadMiddleware;
  fields(fields: readonly MulterField[]): UploadMiddleware;
  any(): UploadMiddleware;
  none(): UploadMiddleware;
}
