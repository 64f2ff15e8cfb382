/**
 * What `fulmar generate` makes: names, files, and the list of a module that a class belongs to. The files are
 * made of those in `packages/fulmar/templates/generate`.
 */
import { CommandError } from '../errors.ts';
import { nearest } from '../suggest.ts';

/** A list of `@Module({ … })`. */
export type ModuleList = 'imports' | 'controllers' | 'providers';

export interface SchematicFile {
  /** Below `templates/generate`. */
  readonly source: string;
  /** Where it goes, with the words of templates (`sample-things`) for the name. */
  readonly target: string;
}

export interface Schematic {
  readonly name: string;
  readonly alias?: string;
  readonly what: string;
  /** Where its class is registered, and what ends the class's name. */
  readonly registered?: { readonly list: ModuleList; readonly type: 'module' | 'controller' | 'service' };
  /** The folder that is made for it, where that is not one of its name. */
  readonly folder?: string;
  readonly files: readonly SchematicFile[];
  readonly needs?: readonly string[];
}

const VALIDATORS = ['class-validator', 'class-transformer'];

/** A class in a file, and a test beside it. */
const single = (type: string, { hasSpec = true } = {}): readonly SchematicFile[] => [
  { source: `${type}.ts`, target: `sample-things.${type}.ts` },
  ...(hasSpec ? [{ source: `${type}.spec.ts`, target: `sample-things.${type}.spec.ts` }] : []),
];

const resourceFiles = [
  'sample-things.module.ts',
  'sample-things.controller.ts',
  'sample-things.controller.spec.ts',
  'sample-things.service.ts',
  'sample-things.service.spec.ts',
  'dto/create-sample-thing.dto.ts',
  'dto/update-sample-thing.dto.ts',
  'entities/sample-thing.entity.ts',
].map((file) => ({ source: `resource/${file}`, target: file }));

export const schematics: readonly Schematic[] = [
  {
    name: 'module',
    alias: 'mo',
    what: 'a module',
    registered: { list: 'imports', type: 'module' },
    files: single('module', { hasSpec: false }),
  },
  {
    name: 'controller',
    alias: 'co',
    what: 'a controller',
    registered: { list: 'controllers', type: 'controller' },
    files: single('controller'),
  },
  { name: 'service', alias: 's', what: 'a provider', registered: { list: 'providers', type: 'service' }, files: single('service') },
  { name: 'guard', alias: 'gu', what: 'says who may pass', files: single('guard') },
  { name: 'interceptor', alias: 'itc', what: 'stands around handlers', files: single('interceptor') },
  { name: 'pipe', alias: 'pi', what: 'makes of what comes what handlers take', files: single('pipe') },
  { name: 'filter', alias: 'f', what: 'answers what is thrown', files: single('filter') },
  { name: 'middleware', alias: 'mi', what: 'runs before routes', files: single('middleware') },
  { name: 'decorator', alias: 'd', what: 'metadata that guards and interceptors ask for', files: single('decorator', { hasSpec: false }) },
  { name: 'dto', what: 'what a handler takes, with its rules', folder: 'dto', files: single('dto'), needs: VALIDATORS },
  {
    name: 'resource',
    alias: 'res',
    what: 'all of it to create, read, update and delete: module, controller, service, DTOs',
    registered: { list: 'imports', type: 'module' },
    files: resourceFiles,
    needs: VALIDATORS,
  },
];

/** Throws a `CommandError` that suggests the nearest where there is none of that name. */
export function findSchematic(word: string): Schematic {
  const found = schematics.find(({ name, alias }) => name === word || alias === word);
  if (found !== undefined) return found;
  const names = schematics.map(({ name }) => name);
  const near = nearest(word, names);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `fulmar generate makes no "${word}".${hint} It makes: ${names.join(', ')}`);
}
