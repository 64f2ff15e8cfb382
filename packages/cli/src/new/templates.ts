/**
 * The templates of `fulmar new`: which there are, and in which languages. Their files are in
 * `packages/fulmar/templates`, one folder of `projects` for each.
 */
import { CommandError } from '../errors.ts';
import { nearest } from '../suggest.ts';

export type Language = 'typescript' | 'javascript';

export interface Template {
  readonly name: string;
  readonly what: string;
  /** Folder of `templates/projects`, by language. */
  readonly folders: Readonly<Partial<Record<Language, string>>>;
}

export const templates: readonly Template[] = [
  { name: 'app', what: "routes with schemas, in Fulmar's own app", folders: { typescript: 'app' } },
  { name: 'controllers', what: "modules, controllers and services, with NestJS's names", folders: { typescript: 'controllers' } },
  { name: 'express', what: 'an Express application', folders: { typescript: 'express', javascript: 'express-js' } },
  { name: 'koa', what: 'a Koa application', folders: { typescript: 'koa', javascript: 'koa-js' } },
  { name: 'rpc', what: 'functions that clients call with their types', folders: { typescript: 'rpc' } },
  { name: 'routes', what: 'a folder whose files are the routes', folders: { typescript: 'routes' } },
  { name: 'one-server', what: 'Express, Koa and typed routes in one server', folders: { typescript: 'one-server' } },
];

const names = templates.map(({ name }) => name);

/** Throws a `CommandError` that suggests the nearest where there is none of that name. */
export function findTemplate(word: string): Template {
  const found = templates.find(({ name }) => name === word);
  if (found !== undefined) return found;
  const near = nearest(word, names);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `there is no template "${word}".${hint} There are: ${names.join(', ')}`);
}

/** The folder of a template. Throws a `CommandError` where it is not there in that language. */
export function folderOf({ name, folders }: Template, language: Language): string {
  const folder = folders[language];
  if (folder !== undefined) return folder;
  const others = templates.filter((one) => one.folders[language] !== undefined).map((one) => one.name);
  throw new CommandError(
    'FULMAR_CLI_INVALID_VALUE',
    `the template ${name} is there in TypeScript alone; with --javascript: ${others.join(', ')}`,
  );
}

/** Where nobody can be asked. */
export function noTemplate(): CommandError {
  return new CommandError('FULMAR_CLI_MISSING_VALUE', `fulmar new needs a template: --template ${names.join('|')}`);
}
