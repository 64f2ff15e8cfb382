import type { Type } from '@nestjs/common';
import { getMetadataStorage, IsOptional } from 'class-validator';

/** As `PartialType` of the mapped types package: every member may be missing. */
export function PartialType<T>(parent: Type<T>): Type<Partial<T>> {
  class Partly extends (parent as Type<object>) {}
  const storage = getMetadataStorage();
  for (const { propertyName } of storage.getTargetValidationMetadatas(parent, '', false, false)) {
    IsOptional()(Partly.prototype, propertyName);
  }
  return Partly as Type<Partial<T>>;
}
