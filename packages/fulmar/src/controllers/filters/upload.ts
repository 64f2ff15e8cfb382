/**
 * `FileUploadExceptionFilter`: what multer and its parser refuse, as 413, 400 or 415. `FileInterceptor` and its like say so
 * themselves; this is for multer as middleware.
 */
import { Catch } from '../decorators/enhancers.ts';
import { Injectable } from '../decorators/modules.ts';
import { BaseExceptionFilter } from '../exceptions/base-filter.ts';
import type { ArgumentsHost } from '../nest-types.ts';
import { uploadException } from '../uploads/upload-errors.ts';
import { answerAs, kindOf } from './kinds.ts';

export class FileUploadExceptionFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    answerAs(this, uploadException(exception), host);
  }
}

Catch(kindOf('UploadFailure', (error) => uploadException(error) !== error))(FileUploadExceptionFilter);
Injectable()(FileUploadExceptionFilter);
