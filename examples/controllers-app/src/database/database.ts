/** PostgreSQL: one pool, made ready before anything listens, ended when the last request is answered. */
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from 'fulmar/controllers';
import pg from 'pg';
import { Settings } from '../settings/settings.ts';
import { migrate } from './migrations.ts';

const CONNECTIONS_MAX = 10;
const CONNECT_MS_MAX = 5000;
/** A query that takes longer has gone wrong, and holds a connection that others wait for. */
const STATEMENT_MS_MAX = 10_000;

/** Runs one statement. `?` of the caller are parameters `$1`, never text. */
export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

@Injectable()
export class Database implements OnModuleInit, OnApplicationShutdown {
  readonly #log = new Logger('Database');
  readonly #pool: pg.Pool;

  constructor(settings: Settings) {
    this.#pool = new pg.Pool({
      connectionString: settings.databaseUrl ?? '',
      max: CONNECTIONS_MAX,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      statement_timeout: STATEMENT_MS_MAX,
    });
    // Of connections that nobody uses: the pool makes others.
    this.#pool.on('error', (error) => this.#log.error(`A connection is lost: ${error.message}`));
  }

  async onModuleInit(): Promise<void> {
    const done = await this.transaction(migrate).catch((error: unknown) => {
      throw new Error('The database of DATABASE_URL cannot be made ready', { cause: error });
    });
    if (done.length > 0) this.#log.log(`Migrated: ${done.join(', ')}`);
  }

  readonly query: Query = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
    (await this.#pool.query<Row>(sql, [...values])).rows;

  /** All that `work` does, or nothing of it. */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const query: Query = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(sql, [...values])).rows;
    let broken: Error | undefined;
    try {
      await query('BEGIN');
      const result = await work(query);
      await query('COMMIT');
      return result;
    } catch (error) {
      // A connection that cannot even roll back is not given to others.
      await query('ROLLBACK').catch((second: Error) => (broken = second));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.#pool.end();
  }
}
