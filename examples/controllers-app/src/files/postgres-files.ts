/** Records of files in PostgreSQL. */
import type { Database, Query } from '../database/database.ts';
import type { NewFile, StoredFile, Usage } from './file.ts';
import { FilesRepository } from './files.repository.ts';

const COLUMNS = 'id, owner, name, type, bytes, stored, created';
/** `sum()` of integers is a bigint, which `pg` gives as text. */
const USAGE = 'SELECT count(*)::integer AS files, coalesce(sum(bytes), 0)::float8 AS bytes FROM files WHERE owner = $1';

export class PostgresFiles extends FilesRepository {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  add({ owner, name, type, bytes, stored }: NewFile, bytesMax: number): Promise<StoredFile | null> {
    return this.#database.transaction(async (query) => {
      // Those of one owner are added one after the other: each sees what the one before has added.
      await query('SELECT id FROM users WHERE id = $1 FOR UPDATE', [owner]);
      if ((await usageOf(query, owner)).bytes + bytes > bytesMax) return null;
      const sql = `INSERT INTO files (owner, name, type, bytes, stored) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`;
      return (await query<StoredFile>(sql, [owner, name, type, bytes, stored]))[0] ?? null;
    });
  }

  async find(id: number): Promise<StoredFile | null> {
    return (await this.#database.query<StoredFile>(`SELECT ${COLUMNS} FROM files WHERE id = $1`, [id]))[0] ?? null;
  }

  list(owner: number, after: number, count: number): Promise<StoredFile[]> {
    const sql = `SELECT ${COLUMNS} FROM files WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3`;
    return this.#database.query<StoredFile>(sql, [owner, after, count]);
  }

  usage(owner: number): Promise<Usage> {
    return usageOf(this.#database.query, owner);
  }

  async remove(id: number): Promise<boolean> {
    return (await this.#database.query('DELETE FROM files WHERE id = $1 RETURNING id', [id])).length > 0;
  }
}

async function usageOf(query: Query, owner: number): Promise<Usage> {
  return (await query<Usage>(USAGE, [owner]))[0] ?? { files: 0, bytes: 0 };
}
