/**
 * JSON with comments and trailing commas, as `tsconfig.json` is written.
 *
 * Read at start-up, for TypeScript applications only. Everything else about the text must be JSON.
 */

/** Parses `text`. Throws a `SyntaxError` as `JSON.parse` does. */
export function parseJsonc(text: string): unknown {
  // Strings are matched first, so that nothing inside one is taken for a comment or a comma.
  const token = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;
  const plain = text.replace(/^\uFEFF/, '').replace(token, (match) => (match.startsWith('"') ? match : ' '));
  return JSON.parse(plain);
}
