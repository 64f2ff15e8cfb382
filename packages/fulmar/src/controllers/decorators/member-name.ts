/** Names for what has none of its own, each once in a process. */

let made = 0;

export function nameOfMember(of: string): string {
  made += 1;
  return `${of}#${made}`;
}
