import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { CurrentUser } from './user.decorator';

@Injectable()
export class UserMiddleware implements NestMiddleware {
  use(request: Request & { user?: CurrentUser }, response: Response, next: NextFunction): void {
    const [name, ...roles] = String(request.headers['x-user'] ?? '').split(' ');
    if (name !== undefined && name !== '') request.user = { name, roles };
    response.setHeader('X-Seen-By', 'UserMiddleware');
    next();
  }
}
