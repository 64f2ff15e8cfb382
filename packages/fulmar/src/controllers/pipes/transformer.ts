/**
 * The two functions of class-transformer that are used, by their names of now and of before.
 */
import type { Type } from '../nest-types.ts';
import type { ClassTransformOptions, TransformerPackage } from './validation-types.ts';

const missing = (now: string, before: string): TypeError =>
  new TypeError(`A transformerPackage has ${now}() or ${before}(), as class-transformer has, and this has neither.`);

/** @throws TypeError where the package has no such function */
export function plainToInstance(given: TransformerPackage, type: Type, value: unknown, options?: ClassTransformOptions): unknown {
  const make = given.plainToInstance ?? given.plainToClass;
  if (make === undefined) throw missing('plainToInstance', 'plainToClass');
  return make(type, value, options) as unknown;
}

/** @throws TypeError where the package has no such function */
export function instanceToPlain(given: TransformerPackage, instance: unknown, options?: ClassTransformOptions): unknown {
  const make = given.instanceToPlain ?? given.classToPlain;
  if (make === undefined) throw missing('instanceToPlain', 'classToPlain');
  return make(instance, options) as unknown;
}
