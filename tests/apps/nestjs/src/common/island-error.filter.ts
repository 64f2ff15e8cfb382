import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';

/** An error of the domain, which knows nothing of HTTP. */
export class IslandError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

@Catch(IslandError)
export class IslandErrorFilter implements ExceptionFilter<IslandError> {
  catch({ code, message }: IslandError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { url, method } = host.switchToHttp().getRequest<Request>();
    response.status(409).json({ code, message, at: `${method} ${url}` });
  }
}
