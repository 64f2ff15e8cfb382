/**
 * `fulmar help`, as far as it is not about a command that has a part of its own. Loaded when it is asked for.
 */
import { printHelp } from '../help-text.ts';
import { generalHelp, runHelp } from './texts.ts';

export function showHelp(topic: 'run' | undefined): void {
  printHelp(topic === 'run' ? runHelp : generalHelp);
}
