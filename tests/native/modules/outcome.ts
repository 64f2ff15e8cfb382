/** What a call shows, as text, when it throws. */

/** Name, code and message of an error. */
export function told(error: unknown): string {
  const { name, code, message } = error as Error & { code?: string };
  return `${name} ${code} ${message}`;
}

/** What `work` gives, or what it throws. */
export function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return told(error);
  }
}
