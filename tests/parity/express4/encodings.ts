/** The names of all charsets that the libraries of Express 4 and Express 5 know. */
import { createRequire } from 'node:module';

/** Without the library's own inner ones. */
function encodingsOf(upstream: string): string[] {
  const require = createRequire(createRequire(import.meta.url).resolve(`${upstream}/package.json`));
  const parserRequire = createRequire(require.resolve('body-parser'));
  const library = parserRequire('iconv-lite') as { encodingExists(name: string): boolean; encodings: Record<string, unknown> };
  // The list is loaded by the first question.
  library.encodingExists('utf-8');
  return Object.keys(library.encodings).filter((name) => !name.startsWith('_'));
}

export const ENCODINGS: readonly string[] = [...new Set([...encodingsOf('express4'), ...encodingsOf('express')])];
