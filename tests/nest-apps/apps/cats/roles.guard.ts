import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RolesKey } from './roles.decorator';
import type { CurrentUser } from './user.decorator';

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride(RolesKey, [context.getHandler(), context.getClass()]);
    if (roles === undefined) return true;
    const { user } = context.switchToHttp().getRequest<{ user?: CurrentUser }>();
    return roles.some((role) => user?.roles.includes(role) === true);
  }
}
