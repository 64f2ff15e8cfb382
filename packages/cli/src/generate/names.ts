/**
 * The name of what is generated, in each form that its files need, and the words of templates that stand for
 * it. Touches no file.
 */
import pluralize from 'pluralize';
import { CommandError } from '../errors.ts';

export interface Names {
  /** Folders before the name, in kebab case. */
  readonly folders: readonly string[];
  /** `user-profiles`, and of one of them `user-profile`. */
  readonly kebab: string;
  readonly singular: string;
}

const PATH_LENGTH_MAX = 200;
/** What is left when words are told apart: they make names of classes and of files. */
const part = /^\p{L}[\p{L}\p{M}\p{N}]*(?:-[\p{L}\p{M}\p{N}]+)*$/u;

/** Of a name as it was written: `users/userProfiles`. Throws a `CommandError` where it makes no file or class. */
export function toNames(written: string): Names {
  const wrong = (why: string): CommandError =>
    new CommandError('FULMAR_CLI_INVALID_VALUE', `"${written}" is no name to generate: ${why}. A name that is: users/profiles`);
  if (written.length > PATH_LENGTH_MAX) throw wrong(`it has more than ${PATH_LENGTH_MAX} characters`);
  if (/^(?:[\\/]|[a-z]:)/i.test(written)) throw wrong('it is a path from the root, and all is made below the sources');
  const words = written.split(/[\\/]/).filter((word) => word !== '' && word !== '.');
  if (words.includes('..')) throw wrong('it leads out of the sources');
  const parts = words.map(toKebab);
  const bad = parts.findIndex((word) => !part.test(word));
  if (bad >= 0) throw wrong(`"${words[bad]}" is not letters and digits that begin with a letter`);
  const kebab = parts.pop();
  if (kebab === undefined) throw wrong('it is empty');
  return { folders: parts, kebab, singular: pluralize.singular(kebab) };
}

/** `userProfile`, `UserProfile`, `user_profile` and `user profile` are `user-profile`; `HTTPClient` is `http-client`. */
function toKebab(word: string): string {
  return word
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1-$2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1-$2')
    .replaceAll(/[\s_.-]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();
}

export function toPascal(kebab: string): string {
  return kebab.replaceAll(/(?:^|-)(.)/gu, (_, letter: string) => letter.toUpperCase());
}

const toCamel = (kebab: string): string => kebab.replaceAll(/-(.)/gu, (_, letter: string) => letter.toUpperCase());

/** A text of a template with the name in place of its words. */
export function fill(text: string, { kebab, singular }: Names): string {
  const forms: Readonly<Record<string, string>> = {
    SampleThings: toPascal(kebab),
    SampleThing: toPascal(singular),
    sampleThings: toCamel(kebab),
    sampleThing: toCamel(singular),
    'sample-things': kebab,
    'sample-thing': singular,
    'sample thing': singular.replaceAll('-', ' '),
  };
  return text.replaceAll(/sample[- ]?things?/gi, (word) => forms[word] ?? word);
}
