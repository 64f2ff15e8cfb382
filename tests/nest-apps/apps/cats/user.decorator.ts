import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

export interface CurrentUser {
  readonly name: string;
  readonly roles: string[];
}

export const User = createParamDecorator((part: keyof CurrentUser | undefined, context: ExecutionContext) => {
  const { user } = context.switchToHttp().getRequest<{ user?: CurrentUser }>();
  return part === undefined ? user : user?.[part];
});
