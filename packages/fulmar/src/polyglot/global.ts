/**
 * `fulmar/polyglot/global`, and what `fulmar run --polyglot` loads before the application: `Polyglot` as a global.
 * Starts no language.
 */
import { Polyglot, type PolyglotApi } from './polyglot.ts';

declare global {
  var Polyglot: PolyglotApi;
}

// As other globals are: to be replaced, and not listed.
Object.defineProperty(globalThis, 'Polyglot', { value: Polyglot, writable: true, enumerable: false, configurable: true });

export default Polyglot;
