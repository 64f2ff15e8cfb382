/**
 * The text of functions without source as V8 writes it, on one line: there are packages that compare it
 * (oidc-provider).
 */
const END = '() {\n    [native code]\n}';

export function installFunctionText(): void {
  const native = Function.prototype.toString as (this: unknown) => string;
  const { toString } = {
    toString(this: unknown): string {
      const text = native.call(this);
      // No source ends like this: `[native code]` is no expression, and a comment or string would be closed
      // behind it.
      if (!text.endsWith(END)) return text;
      const head = text.slice(0, -END.length);
      return `${head.startsWith('function bound ') ? 'function ' : head}() { [native code] }`;
    },
  };
  Object.defineProperty(Function.prototype, 'toString', { value: toString, writable: true, enumerable: false, configurable: true });
}
