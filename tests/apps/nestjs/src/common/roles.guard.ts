import { ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { IS_PUBLIC, ROLES } from './roles.decorator.js';
import type { User } from './roles.decorator.js';

const users: Readonly<Record<string, User>> = {
  ada: { id: 1, name: 'Ada', roles: ['warden', 'watcher'] },
  bergthora: { id: 2, name: 'Bergþóra', roles: ['watcher'] },
};

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    if (context.getType() !== 'http' || this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, places)) return true;
    const request = context.switchToHttp().getRequest<Request & { user?: User }>();
    const [scheme, token = ''] = (request.get('authorization') ?? '').split(' ');
    await Promise.resolve();
    const user = scheme === 'Bearer' ? users[token] : undefined;
    if (user === undefined) throw new UnauthorizedException('Who are you?', { description: 'no token of ours' });
    request.user = user;
    const wanted = this.reflector.getAllAndMerge<string[]>(ROLES, places);
    const missing = wanted.filter((role) => !user.roles.includes(role));
    if (missing.includes('nobody')) return false;
    if (missing.length > 0) throw new ForbiddenException(`${user.name} is no ${missing.join(', ')}`);
    return true;
  }
}
