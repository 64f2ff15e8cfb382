/**
 * The vocabulary of module cases: for each member of one of Node's modules, programs that Node and the
 * QuickJS host both run and whose outcomes are compared. Used by `tests/native/modules/*.cases.ts`; never
 * does I/O.
 */

/** A program: what it returns, resolves with, throws or rejects with is compared. */
export type Program = () => unknown;

export interface CaseOptions {
  /**
   * Members that behave otherwise on the QuickJS host, on purpose, and why; each must have a program that
   * shows it.
   */
  readonly differs?: Readonly<Record<string, string>>;
  /**
   * Members that the QuickJS host does not have, or that throw there because they are not supported, and why.
   */
  readonly missing?: Readonly<Record<string, string>>;
  /**
   * Members that behave as the QuickJS host does only from this major version of Node on; not compared with
   * older ones.
   */
  readonly since?: Readonly<Record<string, number>>;
}

export interface ModuleCases extends Required<CaseOptions> {
  /**
   * The module's name without `node:`; `globals` for the global object; any other word for a topic that has
   * no module.
   */
  readonly module: string;
  readonly programs: ReadonlyMap<string, readonly Program[]>;
}

/**
 * Declares the cases of a module. Keys of `members` are `join` for an export, `Hash#update` for a member of a
 * class's prototype, `Buffer.from` for a static or nested one; a sentence (`'order of ticks and timers'`) for
 * a behaviour that is no single member's.
 */
export function cases(module: string, members: Readonly<Record<string, readonly Program[]>>, options: CaseOptions = {}): ModuleCases {
  return {
    module,
    programs: new Map(Object.entries(members)),
    differs: options.differs ?? {},
    missing: options.missing ?? {},
    since: options.since ?? {},
  };
}
