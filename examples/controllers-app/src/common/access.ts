/** Who may call a method, said where it stands: everyone who has signed in, unless it says something else. `auth` has the guards. */
import { Reflector } from 'fulmar/controllers';

export type Role = 'member' | 'admin';

/** Without signing in. */
export const Public = Reflector.createDecorator<true | undefined, true>({ transform: () => true });
/** One of these roles. */
export const Roles = Reflector.createDecorator<Role[]>();

/** Who has signed in, as handlers get it from `@User()`. */
export interface Caller {
  readonly id: number;
  readonly role: Role;
}

export const mayAct = (caller: Caller, owner: number): boolean => caller.role === 'admin' || caller.id === owner;
