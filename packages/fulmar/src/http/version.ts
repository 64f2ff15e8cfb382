/**
 * The mark by which an application can tell that its `http` module is Fulmar's:
 * `http[Symbol.for('fulmar.version')]`.
 */

export { VERSION } from '../host/version.ts';

export const VERSION_MARK: unique symbol = Symbol.for('fulmar.version') as never;
