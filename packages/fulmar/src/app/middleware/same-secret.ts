/**
 * Comparing what a client gives with what only one who is let in knows.
 */

/**
 * Takes as long whatever of the two is alike: its time follows from what was given alone, which the client
 * knows. Not an early `===`, whose time tells how far a guess is right. `expected` is not empty.
 */
export function isSameSecret(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < given.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at % expected.length);
  return difference === 0;
}

/** Whether it is one of them: each is compared, so that time does not tell which. */
export function isOneOfSecrets(given: string, secrets: readonly string[]): boolean {
  let found = false;
  for (const secret of secrets) if (isSameSecret(given, secret)) found = true;
  return found;
}
