import { Reflector } from '@nestjs/core';

/** Who may call it; looked for on the method and then on the class. */
export const RolesKey = Reflector.createDecorator<string[]>();
export const Roles = (...roles: string[]): ReturnType<typeof RolesKey> => RolesKey(roles);
