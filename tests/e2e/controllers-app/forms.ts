/** The forms in which the example of controllers runs: from its sources, as a built file, as an executable; and where it keeps things. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBinaries, startDatabase } from '../../../bench/database/database.mjs';
import { psql } from '../../../bench/database/psql.mjs';
import { executable, file } from '../build/support.ts';
import { FULMAR, launchFile, launchProgram, type Running } from '../support/launch.ts';

export const folder = fileURLToPath(new URL('../../../examples/controllers-app', import.meta.url));
const MAIN = 'src/main.ts';

export const ADMIN = { email: 'ada@example.org', password: 'kittiwake 42' } as const;
/** Small, so that tests reach them. */
export const FILE_BYTES_MAX = 100_000;
export const ACCOUNT_BYTES_MAX = 150_000;
export const SECRET = 'a secret that only tests know, of 32 characters and more';

type Environment = Readonly<Record<string, string>>;

export interface Form {
  readonly name: string;
  readonly start: (env: Environment) => Promise<Running>;
}

export const fromSources: Form = {
  name: 'fulmar run',
  start: (env) => launchFile([FULMAR, 'run', MAIN], { cwd: folder, env }),
};

const built: Form = {
  name: 'a file of fulmar build',
  start: async (env) => {
    const made = await file.build(folder, MAIN);
    return launchFile([made.file], { cwd: '/', env: { FULMAR_BUILD_CACHE: made.cache, ...env } });
  },
};

const native: Form = {
  name: 'an executable',
  start: async (env) => launchProgram((await executable.build(folder, MAIN)).file, [], { cwd: '/', env }),
};

export const forms: readonly Form[] = [fromSources, built, native];

/** `false`, or the reason for which nothing here can run. */
export const noPostgres: string | false = (() => {
  try {
    findBinaries();
    return false;
  } catch (error) {
    return (error as Error).message;
  }
})();

export interface Databases {
  /** The address of a new, empty database. */
  create(): Promise<string>;
  stop(): Promise<void>;
}

export async function openDatabases(): Promise<Databases> {
  const { url, stop } = await startDatabase();
  let count = 0;
  return {
    async create() {
      const name = `archive_${(count += 1)}`;
      await psql(url, { sql: `CREATE DATABASE ${name}` });
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    stop,
  };
}

/** One that runs, with the folder of its files; `again` starts it a second time on the same. */
export interface Archive {
  readonly running: Running;
  readonly url: string;
  readonly files: string;
  again(): Promise<Archive>;
  /** Ends it, and what it has kept. */
  end(): Promise<void>;
}

/** `databaseUrl` empty: in memory. */
export async function open(form: Form, databaseUrl: string, more: Environment = {}): Promise<Archive> {
  const files = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-archive-')));
  const env = {
    DATABASE_URL: databaseUrl,
    FILES_FOLDER: files,
    FILE_BYTES_MAX: String(FILE_BYTES_MAX),
    ACCOUNT_BYTES_MAX: String(ACCOUNT_BYTES_MAX),
    TOKEN_SECRET: SECRET,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    // All visitors have one address.
    ATTEMPTS_MAX: '100000',
    ...more,
  };
  const begin = async (): Promise<Archive> => {
    const running = await form.start(env);
    const end = async (): Promise<void> => {
      await running.stop();
      rmSync(files, { recursive: true, force: true });
    };
    return { running, url: `http://127.0.0.1:${running.port}`, files, again: begin, end };
  };
  try {
    return await begin();
  } catch (error) {
    rmSync(files, { recursive: true, force: true });
    throw error;
  }
}
