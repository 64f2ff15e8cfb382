/** What the command says to the person at the terminal: a line on standard error. */
import { writeSync } from 'node:fs';

/** Named by number: `process.stderr` of a loader thread has no descriptor. */
const STANDARD_ERROR = 2;

/** A line on standard error, written before anything else can happen. */
export function tell(text: string): void {
  writeLine(`fulmar: ${text}`);
}

/** The same without the name of the command before it. */
export function writeLine(text: string): void {
  try {
    writeSync(STANDARD_ERROR, `${text}\n`);
  } catch {
    // Nobody reads standard error any more.
  }
}
