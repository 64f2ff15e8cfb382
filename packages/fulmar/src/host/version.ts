/**
 * The version of this package. A constant, not a read of package.json: no start pays for it. A test keeps the
 * two equal.
 */

export const VERSION = '0.1.0';
