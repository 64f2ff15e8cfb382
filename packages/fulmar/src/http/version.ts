// The mark by which an application can tell that its `http` module is Fulmar's: `http[Symbol.for('fulmar.version')]`.
// A constant, not a read of package.json: no start pays for it. A test keeps the two equal.

export const VERSION = '0.1.0';
export const VERSION_MARK: unique symbol = Symbol.for('fulmar.version') as never;
