/**
 * Errors of databases that are the client's doing, by the codes of pg, mysql, SQLite and Prisma. Messages of drivers name
 * tables and columns, and values: none of them is told.
 */

export type DatabaseFailure = 'unique' | 'foreignKey' | 'notNull' | 'check' | 'missing';

const CODES: ReadonlyMap<unknown, DatabaseFailure> = new Map<unknown, DatabaseFailure>([
  // PostgreSQL, SQLSTATE class 23.
  ['23505', 'unique'],
  ['23503', 'foreignKey'],
  ['23502', 'notNull'],
  ['23514', 'check'],
  // MySQL and MariaDB.
  ['ER_DUP_ENTRY', 'unique'],
  ['ER_NO_REFERENCED_ROW', 'foreignKey'],
  ['ER_NO_REFERENCED_ROW_2', 'foreignKey'],
  ['ER_ROW_IS_REFERENCED', 'foreignKey'],
  ['ER_ROW_IS_REFERENCED_2', 'foreignKey'],
  ['ER_BAD_NULL_ERROR', 'notNull'],
  ['ER_NO_DEFAULT_FOR_FIELD', 'notNull'],
  ['ER_CHECK_CONSTRAINT_VIOLATED', 'check'],
  // better-sqlite3 and libSQL.
  ['SQLITE_CONSTRAINT_UNIQUE', 'unique'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', 'foreignKey'],
  ['SQLITE_CONSTRAINT_NOTNULL', 'notNull'],
  ['SQLITE_CONSTRAINT_CHECK', 'check'],
  // Prisma.
  ['P2002', 'unique'],
  ['P2003', 'foreignKey'],
  ['P2014', 'foreignKey'],
  ['P2011', 'notNull'],
  ['P2012', 'notNull'],
  ['P2004', 'check'],
  ['P2025', 'missing'],
]);

/** Extended result codes of SQLite, which `node:sqlite` gives as numbers. */
const SQLITE_NUMBERS: ReadonlyMap<unknown, DatabaseFailure> = new Map<unknown, DatabaseFailure>([
  [2067, 'unique'],
  [1555, 'unique'],
  [787, 'foreignKey'],
  [1299, 'notNull'],
  [275, 'check'],
]);

/** `sqlite3` says no more than SQLITE_CONSTRAINT, and what it was in the message. */
const SQLITE_WORDS: readonly (readonly [string, DatabaseFailure])[] = [
  ['UNIQUE constraint failed', 'unique'],
  ['FOREIGN KEY constraint failed', 'foreignKey'],
  ['NOT NULL constraint failed', 'notNull'],
  ['CHECK constraint failed', 'check'],
];

/** Mappers wrap what the driver threw; more often than this nobody does. */
const WRAPPED_MAX = 5;

interface Told {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly driverError?: unknown;
  readonly original?: unknown;
}

/** Null: of something else. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  let one = error;
  for (let depth = 0; depth < WRAPPED_MAX && typeof one === 'object' && one !== null; depth += 1) {
    const { code, errcode, message, cause, driverError, original } = one as Told;
    const found = CODES.get(code) ?? SQLITE_NUMBERS.get(errcode) ?? (code === 'SQLITE_CONSTRAINT' ? byWords(message) : undefined);
    if (found !== undefined) return found;
    one = cause ?? driverError ?? original;
  }
  return null;
}

function byWords(message: unknown): DatabaseFailure | undefined {
  return SQLITE_WORDS.find(([words]) => typeof message === 'string' && message.includes(words))?.[1];
}
