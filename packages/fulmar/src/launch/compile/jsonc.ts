/**
 * JSON with comments and trailing commas, as `tsconfig.json` is written.
 *
 * Read at start-up, for TypeScript applications only. Everything else about the text must be JSON.
 */

/** A string; matched first, so that nothing inside one is taken for a comment or a comma. */
const text = String.raw`"(?:\\.|[^"\\])*"`;
const comments = new RegExp(String.raw`${text}|\/\/[^\n]*|\/\*[\s\S]*?\*\/`, 'g');
const trailingCommas = new RegExp(String.raw`${text}|,(?=\s*[}\]])`, 'g');

/** Parses `source`. Throws a `SyntaxError` as `JSON.parse` does. */
export function parseJsonc(source: string): unknown {
  const blank = (match: string): string => (match.startsWith('"') ? match : ' ');
  const plain = source
    .replace(/^\uFEFF/, '')
    .replace(comments, blank)
    .replace(trailingCommas, blank);
  return JSON.parse(plain);
}
