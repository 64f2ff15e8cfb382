/** Accounts in PostgreSQL. */
import type { Role } from '../common/access.ts';
import type { Database } from '../database/database.ts';
import type { NewUser, User } from './user.ts';
import { UsersRepository } from './users.repository.ts';

const COLUMNS = 'id, email, name, role, password, created';

export class PostgresUsers extends UsersRepository {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  async add({ email, name, role, password }: NewUser): Promise<User> {
    const sql = `INSERT INTO users (email, name, role, password) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`;
    const user = await this.#one(sql, [email, name, role, password]);
    if (user === null) throw new Error('INSERT … RETURNING gave no row.');
    return user;
  }

  find(id: number): Promise<User | null> {
    return this.#one(`SELECT ${COLUMNS} FROM users WHERE id = $1`, [id]);
  }

  findByEmail(email: string): Promise<User | null> {
    return this.#one(`SELECT ${COLUMNS} FROM users WHERE lower(email) = lower($1)`, [email]);
  }

  list(after: number, count: number): Promise<User[]> {
    return this.#database.query<User>(`SELECT ${COLUMNS} FROM users WHERE id > $1 ORDER BY id LIMIT $2`, [after, count]);
  }

  update(id: number, { name, role }: { readonly name?: string; readonly role?: Role }): Promise<User | null> {
    const sql = `UPDATE users SET name = coalesce($2, name), role = coalesce($3, role) WHERE id = $1 RETURNING ${COLUMNS}`;
    return this.#one(sql, [id, name ?? null, role ?? null]);
  }

  async remove(id: number): Promise<boolean> {
    return (await this.#one('DELETE FROM users WHERE id = $1 RETURNING id', [id])) !== null;
  }

  async #one(sql: string, values: readonly unknown[]): Promise<User | null> {
    return (await this.#database.query<User>(sql, values))[0] ?? null;
  }
}
