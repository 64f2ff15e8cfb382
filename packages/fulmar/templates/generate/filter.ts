import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from 'fulmar/controllers';

/** Answers what is thrown with its status. `@Catch()` alone would be for errors of all kinds. */
@Catch(HttpException)
export class SampleThingsFilter implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse();
    response.status(exception.getStatus()).json({ statusCode: exception.getStatus(), message: exception.message });
  }
}
