/**
 * The methods of V8's call sites that QuickJS's lack, for an application's own `Error.prepareStackTrace`:
 * loaded when there is one.
 */
type Site = Record<string, unknown> & { getFileName(): string | null; isNative(): boolean };

/** Adds to the class of `site`; `text` is a frame as stacks show it. */
export function complete(site: object, text: (frame: never) => string): void {
  const prototype = Object.getPrototypeOf(site) as object;
  const { getFunctionName } = prototype as { getFunctionName(this: Site): string };
  Object.defineProperty(prototype, 'getFunctionName', { value: nameOf, writable: true, configurable: true });
  /** V8 has no name where QuickJS has an empty one. */
  function nameOf(this: Site): string | null {
    return getFunctionName.call(this) || null;
  }
  const methods: Record<string, (this: Site) => unknown> = {
    getThis: () => undefined,
    getTypeName: () => 'Object',
    getMethodName: () => null,
    getEvalOrigin: () => undefined,
    getScriptNameOrSourceURL(): unknown {
      return this.getFileName();
    },
    getScriptHash: () => '',
    getEnclosingLineNumber: () => 0,
    getEnclosingColumnNumber: () => 0,
    getPosition: () => 0,
    getPromiseIndex: () => null,
    isToplevel: () => true,
    isEval: () => false,
    isConstructor: () => false,
    isAsync: () => false,
    isPromiseAll: () => false,
    toString(): string {
      return text(this as never);
    },
  };
  for (const [name, value] of Object.entries(methods)) {
    if (!Object.hasOwn(prototype, name)) Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
}
