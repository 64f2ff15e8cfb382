import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';

export class TeapotError extends Error {}
export class NoCatError extends Error {}

@Catch(TeapotError)
export class TeapotFilter implements ExceptionFilter<TeapotError> {
  catch(_error: TeapotError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    http.getResponse<Response>().status(418).json({ short: 'and stout', path: http.getRequest<Request>().url });
  }
}

@Catch(NoCatError)
export class NoCatFilter implements ExceptionFilter<NoCatError> {
  catch(error: NoCatError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(404).send(`no ${error.message}`);
  }
}
