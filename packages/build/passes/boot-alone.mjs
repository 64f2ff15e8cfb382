/**
 * The first module of the QuickJS host is loaded before there is a `require`; rolldown makes it require its
 * helpers, of which it uses none.
 */

export function withoutHelpers(code) {
  const [whole, name] = /^const (\w+) = require\("\.\/shared-rolldown-runtime\.cjs"\);$/m.exec(code) ?? [];
  if (whole === undefined) return code;
  const alone = code.replace(whole, '');
  if (alone.includes(name)) throw new Error('boot.ts must not need a module of its own');
  return alone;
}

export const bootAlone = {
  name: 'boot-alone',
  renderChunk: (code, chunk) => (chunk.name === 'boot' ? withoutHelpers(code) : null),
};
