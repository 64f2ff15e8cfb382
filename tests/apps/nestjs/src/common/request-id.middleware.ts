import { Injectable } from '@nestjs/common';
import type { NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

let count = 0;

/** Numbers requests, unless the client has given a number. */
@Injectable()
export class RequestIdMiddleware implements NestMiddleware {
  use(req: Request, res: Response, next: NextFunction): void {
    res.setHeader('X-Request-Id', req.get('x-request-id') ?? `req-${(count += 1)}`);
    res.once('finish', () => {
      if (req.get('x-log') !== undefined)
        console.log(`${req.method} ${req.originalUrl} ${res.statusCode} ${res.getHeader('content-length')}`);
    });
    next();
  }
}

export function slowDown(turns: number): RequestHandler {
  return (_req, _res, next) => {
    let left = turns;
    const turn = (): void => void ((left -= 1) > 0 ? setImmediate(turn) : next());
    turn();
  };
}
