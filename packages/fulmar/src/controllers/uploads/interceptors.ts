/**
 * `FileInterceptor` and its like: uploads by the application's own multer, whose storages, filters and errors those
 * written for Nest know. It is looked for when an interceptor is made, at start.
 */
import { requireFromApplication } from '../../app/openapi/application-package.ts';
import { Inject, mixin, Optional } from '../decorators/modules.ts';
import type { CallHandler, ExecutionContext, NestInterceptor, Type } from '../nest-types.ts';
import { mergedOptions } from './multer-options.ts';
import type { Multer, MulterField, MulterOptions, UploadMiddleware } from './multer-types.ts';
import { MULTER_MODULE_OPTIONS } from './multer-module.ts';
import { receive, removeRefused } from './receive.ts';

function interceptorOf(own: MulterOptions | undefined, pick: (multer: Multer) => UploadMiddleware): Type<NestInterceptor> {
  class UploadInterceptor implements NestInterceptor {
    readonly #multer: Multer;
    readonly #middleware: UploadMiddleware;

    constructor(ofModule: MulterOptions = {}) {
      const make = requireFromApplication('multer', 'Interceptors for uploads receive files by it') as (options: MulterOptions) => Multer;
      this.#multer = make(mergedOptions(ofModule, own ?? {}));
      this.#middleware = pick(this.#multer);
    }

    async intercept(context: ExecutionContext, next: CallHandler): Promise<unknown> {
      const { req, res } = { req: context.getRequest(), res: context.getResponse() };
      await receive(this.#middleware, req, res);
      try {
        return await next();
      } catch (error) {
        removeRefused(this.#multer, req, res);
        throw error;
      }
    }
  }
  Inject(MULTER_MODULE_OPTIONS)(UploadInterceptor, undefined as never, 0);
  Optional()(UploadInterceptor, undefined as never, 0);
  return mixin(UploadInterceptor);
}

/** One file of the field: `@UploadedFile()`. */
export const FileInterceptor = (fieldName: string, options?: MulterOptions): Type<NestInterceptor> =>
  interceptorOf(options, (multer) => multer.single(fieldName));

/** Several of one field: `@UploadedFiles()`. */
export const FilesInterceptor = (fieldName: string, maxCount?: number, options?: MulterOptions): Type<NestInterceptor> =>
  interceptorOf(options, (multer) => multer.array(fieldName, maxCount));

/** Those of several fields, by their names. */
export const FileFieldsInterceptor = (fields: MulterField[], options?: MulterOptions): Type<NestInterceptor> =>
  interceptorOf(options, (multer) => multer.fields(fields));

/** All that come. */
export const AnyFilesInterceptor = (options?: MulterOptions): Type<NestInterceptor> => interceptorOf(options, (multer) => multer.any());

/** Fields alone: a file is refused. */
export const NoFilesInterceptor = (options?: MulterOptions): Type<NestInterceptor> => interceptorOf(options, (multer) => multer.none());
