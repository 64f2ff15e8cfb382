/**
 * `@ApiProperty()` and its like: what a member of a class is in a document. They write metadata; `schemas.ts` reads it.
 */
import { KEYS } from '../metadata/keys.ts';
import { define, read } from '../metadata/reflect.ts';
import { onClass } from '../metadata/placed.ts';
import { API } from './keys.ts';
import { enumSchema, type Given, said, unlisted } from './given.ts';

export interface ApiPropertyOptions {
  /** A class, a list with one, `() => Class`, or the name of a type. Default: that of the member. */
  type?: unknown;
  isArray?: boolean;
  required?: boolean | string[];
  enum?: unknown;
  /** It stands once, under this name. */
  enumName?: string;
  description?: string;
  /** Any other member of a schema: `example`, `minimum`, `nullable`, `oneOf` … */
  [member: string]: unknown;
}

export function ApiProperty(options: ApiPropertyOptions = {}): PropertyDecorator {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(
      `@ApiProperty() takes an object, as { description: '…' }, and this is ${options === null ? 'null' : typeof options}.`,
    );
  const property = toProperty(options);
  return (target, member) => {
    const names = read<readonly string[]>(API.propertyNames, target) ?? [];
    const name = `:${String(member)}`;
    if (!names.includes(name)) define(API.propertyNames, [...names, name], target);
    const before = read<Given>(API.properties, target, member) ?? { type: read(KEYS.propertyType, target, member) };
    define(API.properties, { ...before, ...said(property) }, target, member);
  };
}

function toProperty(options: ApiPropertyOptions): Given {
  const { type, isArray } = unlisted(options.type, options.isArray);
  const { enum: values, ...rest } = options;
  const property: Given = { ...rest, type, isArray };
  if (values !== undefined) {
    const schema = enumSchema(values);
    if (isArray === true) Object.assign(property, { type: 'array', items: schema });
    else Object.assign(property, { enum: schema.enum, type: type ?? schema.type });
  }
  if (options['pattern'] instanceof RegExp) property['pattern'] = options['pattern'].source;
  return property;
}

export const ApiPropertyOptional = (options: ApiPropertyOptions = {}): PropertyDecorator => ApiProperty({ ...options, required: false });
export const ApiResponseProperty = (options: ApiPropertyOptions = {}): PropertyDecorator => ApiProperty({ readOnly: true, ...options });

/** The name of a class in a document, and what else its schema has. */
export const ApiSchema = (options: { name?: string; description?: string; [member: string]: unknown }): ClassDecorator =>
  onClass('ApiSchema', (target) => define(API.schema, [options], target));

/** Of a member that no `@ApiProperty()` says anything of: as in Nest, where its plugin for compilers asks for it. */
export const ApiHideProperty = (): PropertyDecorator => () => undefined;
