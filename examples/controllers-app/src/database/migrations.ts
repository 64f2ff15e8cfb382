/** The tables, in the steps in which they came about. A step that has been somewhere is never changed: another one follows it. */
import type { Query } from './database.ts';

const STEPS: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: '001 users',
    sql: `CREATE TABLE users (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        email text NOT NULL,
        name text NOT NULL,
        role text NOT NULL CHECK (role IN ('member', 'admin')),
        password text NOT NULL,
        created timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX users_email ON users (lower(email));`,
  },
  {
    name: '002 files',
    sql: `CREATE TABLE files (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        owner integer NOT NULL REFERENCES users,
        name text NOT NULL,
        type text NOT NULL,
        bytes integer NOT NULL CHECK (bytes >= 0),
        stored uuid NOT NULL UNIQUE,
        created timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX files_owner ON files (owner, id);`,
  },
];

/** Any number that no other application of this database takes. */
const LOCK = 20_261_126;

/** Within a transaction: of several processes that start together, one does it. Gives the names of the steps that were taken. */
export async function migrate(query: Query): Promise<string[]> {
  await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  await query('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, taken timestamptz NOT NULL DEFAULT now())');
  const taken = new Set((await query<{ name: string }>('SELECT name FROM migrations')).map(({ name }) => name));
  const missing = STEPS.filter(({ name }) => !taken.has(name));
  for (const { name, sql } of missing) {
    await query(sql);
    await query('INSERT INTO migrations (name) VALUES ($1)', [name]);
  }
  return missing.map(({ name }) => name);
}
