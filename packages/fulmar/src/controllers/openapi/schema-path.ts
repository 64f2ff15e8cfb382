/**
 * References to classes in schemas that an application writes itself.
 */
import { readOwn } from '../metadata/reflect.ts';
import { API } from './keys.ts';
import { pathOf } from './given.ts';

/** `#/components/schemas/Cat`, by the class or its name. */
export function getSchemaPath(model: string | Function): string {
  if (typeof model === 'string') return pathOf(model);
  return pathOf(readOwn<readonly { name?: string }[]>(API.schema, model)?.at(-1)?.name ?? model.name);
}

export const refs = (...models: Function[]): { $ref: string }[] => models.map((model) => ({ $ref: getSchemaPath(model) }));
