/**
 * `ParseFilePipe` and its builder: uploaded files, one or several, asked by validators. One file after the other, up to
 * the first that fails.
 */
import { Injectable } from '../decorators/modules.ts';
import type { PipeTransform } from '../nest-types.ts';
import {
  FileTypeValidator,
  type FileTypeValidatorOptions,
  type FileValidator,
  MaxFileSizeValidator,
  type MaxFileSizeValidatorOptions,
} from './file-validators.ts';
import { isNil, isRecord, type RejectingOptions, rejectionOf } from './rejection.ts';

export interface ParseFileOptions extends RejectingOptions {
  validators?: FileValidator<any>[];
  /** Default: true. */
  fileIsRequired?: boolean;
}

export class ParseFilePipe implements PipeTransform<any> {
  protected exceptionFactory: (error: string) => any;
  readonly #validators: FileValidator<any>[];
  readonly #isRequired: boolean;

  /** @throws TypeError for what is no validator */
  constructor(options: ParseFileOptions = {}) {
    this.exceptionFactory = rejectionOf(this, options);
    this.#validators = options.validators ?? [];
    this.#isRequired = options.fileIsRequired ?? true;
    for (const one of this.#validators)
      if (typeof (one as Partial<FileValidator> | null)?.isValid !== 'function' || typeof one.buildErrorMessage !== 'function')
        throw new TypeError(
          `validators of ${this.constructor.name} are objects with isValid() and buildErrorMessage(): extend FileValidator.`,
        );
  }

  async transform(value: any): Promise<any> {
    if (isWithoutFiles(value)) {
      if (this.#isRequired) throw this.exceptionFactory('File is required');
      return value;
    }
    for (const file of Array.isArray(value) ? (value as unknown[]) : [value]) await this.validate(file);
    return value;
  }

  protected async validate(file: any): Promise<any> {
    for (const validator of this.#validators)
      if (!(await validator.isValid(file))) throw this.exceptionFactory(validator.buildErrorMessage(file));
    return file;
  }

  getValidators(): FileValidator<any>[] {
    return this.#validators;
  }
}

const isWithoutFiles = (value: unknown): boolean => isNil(value) || (isRecord(value) && Object.keys(value).length === 0);

export class ParseFilePipeBuilder {
  #validators: FileValidator<any>[] = [];

  addMaxSizeValidator(options: MaxFileSizeValidatorOptions): this {
    return this.addValidator(new MaxFileSizeValidator(options));
  }

  addFileTypeValidator(options: FileTypeValidatorOptions): this {
    return this.addValidator(new FileTypeValidator(options));
  }

  addValidator(validator: FileValidator<any>): this {
    this.#validators.push(validator);
    return this;
  }

  build(options?: Omit<ParseFileOptions, 'validators'>): ParseFilePipe {
    const pipe = new ParseFilePipe({ ...options, validators: this.#validators });
    this.#validators = [];
    return pipe;
  }
}

Injectable()(ParseFilePipe);
