/**
 * Symbols that Node has and QuickJS lacks. Classes name their methods by them, so this is the first thing
 * that runs.
 */
for (const name of ['dispose', 'asyncDispose']) {
  if (name in Symbol) continue;
  Object.defineProperty(Symbol, name, { value: Symbol(`Symbol.${name}`), writable: false, enumerable: false, configurable: false });
}
