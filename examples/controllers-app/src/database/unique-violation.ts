/** What PostgreSQL says of a value that has to be unique, for repositories in memory: filters know it by its code. */
export class UniqueViolation extends Error {
  readonly code = '23505';
}
