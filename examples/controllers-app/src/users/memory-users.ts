/** Accounts in the memory of this process, for trying it out. */
import type { Role } from '../common/access.ts';
import { UniqueViolation } from '../database/unique-violation.ts';
import type { NewUser, User } from './user.ts';
import { UsersRepository } from './users.repository.ts';

/** It is a toy with a bound. */
const USERS_MAX = 10_000;

export class MemoryUsers extends UsersRepository {
  readonly #users = new Map<number, User>();
  #lastId = 0;

  async add(given: NewUser): Promise<User> {
    if ((await this.findByEmail(given.email)) !== null) throw new UniqueViolation('users_email');
    if (this.#users.size >= USERS_MAX) throw new Error(`There are ${USERS_MAX} accounts in memory; set DATABASE_URL.`);
    const user: User = { ...given, id: (this.#lastId += 1), created: new Date() };
    this.#users.set(user.id, user);
    return user;
  }

  async find(id: number): Promise<User | null> {
    return this.#users.get(id) ?? null;
  }

  async findByEmail(email: string): Promise<User | null> {
    const wanted = email.toLowerCase();
    return [...this.#users.values()].find((one) => one.email.toLowerCase() === wanted) ?? null;
  }

  async list(after: number, count: number): Promise<User[]> {
    return [...this.#users.values()].filter(({ id }) => id > after).slice(0, count);
  }

  async update(id: number, changes: { readonly name?: string; readonly role?: Role }): Promise<User | null> {
    const user = this.#users.get(id);
    if (user === undefined) return null;
    const changed = { ...user, ...changes };
    this.#users.set(id, changed);
    return changed;
  }

  async remove(id: number): Promise<boolean> {
    return this.#users.delete(id);
  }
}
