/** Values of the options that describe a request. Each throws a `CommandError` for what is none. */
import { CommandError } from './errors.ts';

export function toPath(value: string): string {
  if (/^\/[\x21-\x7e]*$/.test(value)) return value;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--path needs a path that begins with / and holds no spaces; got "${value}"`);
}

export function toMethod(value: string): string {
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(value)) return value;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--method needs a method, as POST; got "${value}"`);
}

export function toHeader(value: string): string {
  if (/^[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--header needs "name: value"; got "${value}"`);
}
