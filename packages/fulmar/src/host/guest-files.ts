/**
 * Files of other languages (`fulmar/polyglot`), by their endings: for whoever resolves imports of them, and for whoever
 * loads them. Says what a file would be, never whether the language is here.
 */

/** Ending → the language whose guest loads such a file. */
export const guestEndings: Readonly<Record<string, string>> = { '.py': 'python', '.rb': 'ruby', '.java': 'java' };

const GUEST_FILE = /(\.(?:py|rb|java))$/;

/** The ending of a path that is a file of another language. */
export const guestEnding = (path: string): string | undefined => GUEST_FILE.exec(path)?.[1];
