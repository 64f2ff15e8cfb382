/**
 * Files of other languages (`fulmar/polyglot`), by their endings: for whoever resolves imports of them, and for whoever
 * loads them. Says what a file would be, never whether the language is here.
 */

/** Ending → the language whose guest loads such a file. */
export const guestEndings: Readonly<Record<string, string>> = { '.py': 'python', '.rb': 'ruby', '.java': 'java' };

const GUEST_FILE = /(\.(?:py|rb|java))$/;

/** The ending of a path that is a file of another language. */
export const guestEnding = (path: string): string | undefined => GUEST_FILE.exec(path)?.[1];

const JAVA_PACKAGE = /^\s*package\s+([\w.]+)\s*;/m;

/** Where the packages begin that a source of Java in `folder` is of, if the folders are called like them; as `Sources.java` has it. */
export function javaRoot(folder: string, text: string): string {
  const name = JAVA_PACKAGE.exec(text)?.[1];
  const below = name === undefined ? '' : `/${name.replaceAll('.', '/')}`;
  return below !== '' && folder.endsWith(below) ? folder.slice(0, -below.length) || '/' : folder;
}
