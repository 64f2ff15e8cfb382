import { createParamDecorator, SetMetadata } from '@nestjs/common';
import type { CustomDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

export interface User {
  readonly id: number;
  readonly name: string;
  readonly roles: readonly string[];
}

export const ROLES = 'roles';
export const IS_PUBLIC = 'isPublic';

export const Roles = (...roles: string[]): CustomDecorator => SetMetadata(ROLES, roles);
export const Public = (): CustomDecorator => SetMetadata(IS_PUBLIC, true);

/** Who asks, or one member of who asks. */
export const CurrentUser = createParamDecorator((member: keyof User | undefined, context: ExecutionContext) => {
  const { user } = context.switchToHttp().getRequest<Request & { user?: User }>();
  return member === undefined ? user : user?.[member];
});
