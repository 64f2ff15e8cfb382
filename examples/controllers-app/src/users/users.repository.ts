/** What is asked of whatever keeps accounts. */
import type { Role } from '../common/access.ts';
import type { NewUser, User } from './user.ts';

export abstract class UsersRepository {
  /** @throws an error of the code 23505 where another account has the address, in whichever case of letters */
  abstract add(user: NewUser): Promise<User>;
  abstract find(id: number): Promise<User | null>;
  abstract findByEmail(email: string): Promise<User | null>;
  /** In the order of their ids. */
  abstract list(after: number, count: number): Promise<User[]>;
  abstract update(id: number, changes: { readonly name?: string; readonly role?: Role }): Promise<User | null>;
  abstract remove(id: number): Promise<boolean>;
}
