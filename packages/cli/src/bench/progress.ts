/**
 * Tells on standard error what goes on: one line that is overwritten on a terminal, only what matters
 * elsewhere.
 */
import { widthOf } from '../text-width.ts';

export interface Progress {
  /** What is done now. */
  step(text: string): void;
  /** What the user should know in any case. */
  say(text: string): void;
  /** Nothing goes on any more. */
  end(): void;
}

const ERASE_LINE = '\r\u001B[K';

export function createProgress(): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { step: () => undefined, say: (text) => void stderr.write(`${text}\n`), end: () => undefined };
  const shorten = (text: string): string => text.slice(0, Math.max(0, widthOf(stderr) - 1));
  return {
    step: (text) => void stderr.write(ERASE_LINE + shorten(text)),
    say: (text) => void stderr.write(`${ERASE_LINE}${text}\n`),
    end: () => void stderr.write(ERASE_LINE),
  };
}
