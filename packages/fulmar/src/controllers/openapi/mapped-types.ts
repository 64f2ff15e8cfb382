/**
 * `PartialType()` and its like: classes made of others, with what documents, validation and transformation know of
 * their members. The last two are carried over by the application's own `@nestjs/mapped-types`, loaded with the first.
 */
import { requireFromApplication } from '../../app/openapi/application-package.ts';
import { read } from '../metadata/reflect.ts';
import type { Type } from '../nest-types.ts';
import type { Given } from './given.ts';
import { API } from './keys.ts';
import { ApiProperty } from './property-decorators.ts';

interface PartialOptions {
  /** False: null is no absence, and is checked. */
  skipNullProperties?: boolean;
}
type Optional = (type: Type, member: string) => void;
interface MappedTypes {
  PartialType(type: Type, options?: PartialOptions): Type;
  PickType(type: Type, members: readonly PropertyKey[]): Type;
  OmitType(type: Type, members: readonly PropertyKey[]): Type;
  IntersectionType(...types: Type[]): Type;
  readonly applyIsOptionalDecorator: Optional;
  readonly applyValidateIfDefinedDecorator: Optional;
}

/** Members that hold no function. */
type Fields<T> = { [K in keyof T as T[K] extends Function ? never : K]: T[K] };
type Joined<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void ? All : never;
type Instances<T extends readonly Type[]> = { [I in keyof T]: T[I] extends Type<infer One> ? One : never };

const mapped = (): MappedTypes =>
  requireFromApplication(
    '@nestjs/mapped-types',
    'PartialType() and its like carry validation and transformation over by it',
  ) as MappedTypes;

/** Each member may be absent. @throws Error without the package */
export function PartialType<T>(type: Type<T>, options: PartialOptions = {}): Type<Fields<Partial<T>>> {
  const { PartialType: make, applyIsOptionalDecorator, applyValidateIfDefinedDecorator } = mapped();
  const made = make(type, options);
  const optional = options.skipNullProperties === false ? applyValidateIfDefinedDecorator : applyIsOptionalDecorator;
  for (const member of describe(made, type, () => true, { required: false })) optional(made, member);
  return made as Type<Fields<Partial<T>>>;
}

/** Only these members. @throws Error without the package */
export function PickType<T, K extends keyof T>(type: Type<T>, members: readonly K[]): Type<Fields<Pick<T, K>>> {
  const made = mapped().PickType(type, members);
  describe(made, type, (member) => members.includes(member as K));
  return made as Type<Fields<Pick<T, K>>>;
}

/** All but these members. @throws Error without the package */
export function OmitType<T, K extends keyof T>(type: Type<T>, members: readonly K[]): Type<Fields<Omit<T, K>>> {
  const made = mapped().OmitType(type, members);
  describe(made, type, (member) => !members.includes(member as K));
  return made as Type<Fields<Omit<T, K>>>;
}

/** The members of all. @throws Error without the package */
export function IntersectionType<T extends readonly Type[]>(...types: T): Type<Fields<Joined<Instances<T>[number]>>> {
  const made = mapped().IntersectionType(...types);
  for (const type of types) describe(made, type, () => true);
  return made as Type<Fields<Joined<Instances<T>[number]>>>;
}

/** Gives `made` what documents know of members of `from`; returns their names. */
function describe(made: Type, from: Type, takes: (member: string) => boolean, more: Given = {}): string[] {
  const listed = read<readonly string[]>(API.propertyNames, from.prototype as object) ?? [];
  const members = listed.map((name) => name.slice(1)).filter(takes);
  for (const member of members)
    ApiProperty({ ...read<Given>(API.properties, from.prototype as object, member), ...more })(made.prototype as object, member);
  return members;
}
