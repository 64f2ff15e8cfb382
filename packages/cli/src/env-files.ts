/**
 * Environment files that the command line names: variables that are set already win.
 */
import { readFileSync } from 'node:fs';
import { CommandError } from './errors.ts';

/** @throws CommandError for one that cannot be read */
export function loadEnvFile(file: string): void {
  readEnvFile(file, () => process.loadEnvFile(file));
}

/** The same without setting anything. */
export function checkEnvFile(file: string): void {
  readEnvFile(file, () => void readFileSync(file));
}

function readEnvFile(file: string, read: () => void): void {
  try {
    read();
  } catch (cause) {
    throw new CommandError('FULMAR_CLI_ENV_FILE', `cannot read the environment file ${file}: ${(cause as Error).message}`, { cause });
  }
}
