/**
 * Options of a command described as a table, and the one way in which a word of the command line is applied:
 * `--name value`, `--name=value`, `-n value`, or a switch. Knows no command.
 */
import { CommandError } from './errors.ts';
import { nearest } from './suggest.ts';

/** A switch, or an option whose value `value` describes. */
export type OptionRule<Draft> = { set: (draft: Draft) => void } | { take: (draft: Draft, value: string) => void; value: string };

export interface OptionTable<Draft> {
  /** For the advice where nothing is similar: `fulmar help <command>`. */
  readonly command: string;
  readonly rules: Readonly<Record<string, OptionRule<Draft>>>;
  readonly shortNames: Readonly<Record<string, string>>;
  /** The options whose value may be empty. */
  readonly mayBeEmpty?: readonly string[];
  /** May a value that is a word of its own begin with `-`? */
  readonly takesDashes?: boolean;
  /** What to say of an option of Node's. */
  readonly nodeAdvice?: string;
}

interface Written {
  readonly name: string;
  readonly inline: string | undefined;
}

/**
 * Applies one option. True when its value was the next word. Throws a `CommandError` for what the table does
 * not have.
 */
export function takeOption<Draft>(table: OptionTable<Draft>, draft: Draft, word: string, next: string | undefined): boolean {
  const written = splitOption(word);
  const rule = findRule(table, written.name);
  if (rule === undefined) throw unknownOption(table, written.name);
  return applyRule(table, rule, draft, { ...written, next });
}

/**
 * Applies the words of a command line; what follows `--` is the application's, and what is no option goes to
 * `take`.
 */
export function takeWords<Draft extends { args: readonly string[] }>(
  table: OptionTable<Draft>,
  draft: Draft,
  argv: readonly string[],
  take: (word: string) => void,
): void {
  const end = argv.indexOf('--');
  const ours = end < 0 ? argv : argv.slice(0, end);
  if (end >= 0) draft.args = argv.slice(end + 1);
  for (let index = 0; index < ours.length; index++) {
    const word = ours[index] ?? '';
    if (!word.startsWith('-')) take(word);
    else if (takeOption(table, draft, word, ours[index + 1])) index += 1;
  }
}

/** `--name=value` as its two parts. */
export function splitOption(word: string): Written {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals < 0 ? { name: word, inline: undefined } : { name: word.slice(0, equals), inline: word.slice(equals + 1) };
}

export function findRule<Draft>({ rules, shortNames }: OptionTable<Draft>, written: string): OptionRule<Draft> | undefined {
  const name = shortNames[written] ?? written;
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

export function applyRule<Draft>(
  { shortNames, mayBeEmpty = [], takesDashes = false }: OptionTable<Draft>,
  rule: OptionRule<Draft>,
  draft: Draft,
  { name, inline, next }: Written & { readonly next: string | undefined },
): boolean {
  if ('set' in rule) {
    if (inline !== undefined) throw new CommandError('FULMAR_CLI_INVALID_VALUE', `${name} takes no value, got "${inline}"`);
    rule.set(draft);
    return false;
  }
  const value = inline ?? next;
  const isEmpty = value === '' && !mayBeEmpty.includes(shortNames[name] ?? name);
  const isOption = !takesDashes && inline === undefined && value?.startsWith('-') === true;
  if (value === undefined || isEmpty || isOption) throw new CommandError('FULMAR_CLI_MISSING_VALUE', `${name} needs ${rule.value}`);
  rule.take(draft, value);
  return inline === undefined;
}

export function unknownOption(
  { command, rules, nodeAdvice }: Pick<OptionTable<never>, 'command' | 'nodeAdvice'> & { readonly rules: object },
  name: string,
): CommandError {
  const near = nearest(name, Object.keys(rules));
  const node = process.allowedNodeEnvironmentFlags.has(name) ? nodeAdvice : undefined;
  const hint = node ?? (near === undefined ? `See \`fulmar help ${command}\`.` : `Did you mean ${near}?`);
  return new CommandError('FULMAR_CLI_UNKNOWN_OPTION', `unknown option ${name}. ${hint}`);
}
