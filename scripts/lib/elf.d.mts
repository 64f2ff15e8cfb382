/** What `elf.mjs` exports, for tests. */
export interface Requirements {
  readonly libraries: readonly string[];
  readonly versions: readonly string[];
}
export function requirementsOf(file: string): Requirements;
export function beyond(floor: string, requirements: Requirements): string[];
