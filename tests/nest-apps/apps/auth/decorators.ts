import { SetMetadata } from '@nestjs/common';

export const IS_PUBLIC = 'isPublic';
export const ROLES = 'roles';
export const Public = (): ReturnType<typeof SetMetadata> => SetMetadata(IS_PUBLIC, true);
export const Roles = (...roles: string[]): ReturnType<typeof SetMetadata> => SetMetadata(ROLES, roles);
