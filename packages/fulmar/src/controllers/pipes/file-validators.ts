/**
 * What `ParseFilePipe` asks of a file: its size, its type by its first bytes or as it was said, and what an application
 * asks itself.
 */
import { requireFromApplication } from '../../app/openapi/application-package.ts';

/** A file as multer has them. */
export interface UploadedFileLike {
  mimetype: string;
  size: number;
  buffer?: Uint8Array;
}
export type FileValidatorContext<Config> = { file?: any; config: Config };
type ErrorMessage<Config> = string | ((context: FileValidatorContext<Config>) => string);

export abstract class FileValidator<Options = Record<string, any>> {
  protected readonly validationOptions: Options;

  constructor(validationOptions: Options) {
    this.validationOptions = validationOptions;
  }

  abstract isValid(file?: any): boolean | Promise<boolean>;
  abstract buildErrorMessage(file: any): string;
}

export interface MaxFileSizeValidatorOptions {
  /** In bytes; a file of as many is too large. */
  maxSize: number;
  message?: string | ((maxSize: number) => string);
  errorMessage?: ErrorMessage<{ maxSize: number }>;
}

export class MaxFileSizeValidator extends FileValidator<MaxFileSizeValidatorOptions> {
  isValid(file?: UploadedFileLike): boolean {
    if (!this.validationOptions || !file) return true;
    return 'size' in file && file.size < this.validationOptions.maxSize;
  }

  buildErrorMessage(file?: UploadedFileLike): string {
    const { errorMessage, message, ...config } = this.validationOptions;
    const { maxSize } = config;
    if (errorMessage) return typeof errorMessage === 'function' ? errorMessage({ file, config }) : errorMessage;
    if (message) return typeof message === 'function' ? message(maxSize) : message;
    const found = file?.size ? `current file size is ${file.size}, ` : '';
    return `Validation failed (${found}expected size is less than ${maxSize})`;
  }
}

export interface FileTypeValidatorOptions {
  fileType: string | RegExp;
  /** The type that the client says, nothing else. */
  skipMagicNumbersValidation?: boolean;
  /** That one where the bytes say nothing. */
  fallbackToMimetype?: boolean;
  /** `file.mimetype` becomes what the bytes say. */
  overrideMimeType?: boolean;
  errorMessage?: ErrorMessage<Omit<FileTypeValidatorOptions, 'errorMessage'>>;
}

type Detect = (bytes: Uint8Array) => Promise<{ readonly mime: string } | undefined>;

export class FileTypeValidator extends FileValidator<FileTypeValidatorOptions> {
  /** By their bytes; null: they say nothing. */
  readonly #detected = new WeakMap<object, string | null>();

  /** @throws Error where the type is asked of the bytes and the application has no `file-type` */
  async isValid(file?: UploadedFileLike): Promise<boolean> {
    if (!this.validationOptions) return true;
    const { skipMagicNumbersValidation, fallbackToMimetype, overrideMimeType } = this.validationOptions;
    if (!file || !('mimetype' in file)) return false;
    if (skipMagicNumbersValidation === true) return this.#matches(file.mimetype);
    if (file.buffer === undefined) return fallbackToMimetype === true && this.#matches(file.mimetype);
    const mime = (await detectorOf()(file.buffer))?.mime ?? null;
    this.#detected.set(file, mime);
    if (mime === null) return fallbackToMimetype === true && this.#matches(file.mimetype);
    if (overrideMimeType === true) file.mimetype = mime;
    return this.#matches(mime);
  }

  buildErrorMessage(file?: UploadedFileLike): string {
    const { errorMessage, ...config } = this.validationOptions;
    const { fileType, fallbackToMimetype, skipMagicNumbersValidation } = config;
    if (errorMessage) return typeof errorMessage === 'function' ? errorMessage({ file, config }) : errorMessage;
    const expected = `expected type is ${String(fileType)}`;
    if (file?.mimetype && !file.buffer && !fallbackToMimetype && !skipMagicNumbersValidation)
      return `Validation failed (file buffer is not available; file type validation could not be performed; ${expected})`;
    const mime = file && this.#detected.get(file);
    if (mime) return `Validation failed (current file type is ${mime}, ${expected})`;
    if (mime === null && !fallbackToMimetype) return `Validation failed (file type could not be detected from its content; ${expected})`;
    if (!file?.mimetype) return `Validation failed (${expected})`;
    const told = `Validation failed (current file type is ${file.mimetype}, ${expected})`;
    return fallbackToMimetype && !skipMagicNumbersValidation ? `${told} - magic number detection failed, used mimetype fallback` : told;
  }

  /** A text is a pattern, too, as long as it is not the type itself; `audio/wav` is not to accept `audio/wavpack`. */
  #matches(mimetype: string): boolean {
    const { fileType } = this.validationOptions;
    if (typeof fileType !== 'string') return new RegExp(fileType).test(mimetype);
    if (mimetype === fileType) return true;
    return new RegExp(/[a-z\d]$/i.test(fileType) ? `(?:${fileType})(?![\\w-])` : fileType).test(mimetype);
  }
}

const detectorOf = (): Detect =>
  (requireFromApplication('file-type', 'FileTypeValidator reads the type of a file off its bytes') as { fileTypeFromBuffer: Detect })
    .fileTypeFromBuffer;
