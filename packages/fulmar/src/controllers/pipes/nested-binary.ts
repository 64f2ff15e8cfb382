/**
 * Bytes where a class is to be: class-transformer copies them as they are, and class-validator then finds no rules to
 * break. They are looked for before it, by its own metadata.
 */
import { isRecord } from './rejection.ts';
import type { ValidationError, ValidationMetadata, ValidatorOptions, ValidatorPackage } from './validation-types.ts';

/** Types of metadata of class-validator. */
const NESTED = 'nestedValidation';
const CONDITIONAL = 'conditionalValidation';

export const isBinary = (value: unknown): boolean => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;

export class NestedBinary {
  readonly #storage: ReturnType<NonNullable<ValidatorPackage['getMetadataStorage']>> | undefined;
  readonly #options: ValidatorOptions;
  readonly #known = new Map<Function, ValidationMetadata[]>();

  constructor(validator: ValidatorPackage, options: ValidatorOptions) {
    this.#storage = validator.getMetadataStorage?.();
    this.#options = options;
  }

  /** Errors as class-validator makes them of a text in that place. */
  find(object: unknown): ValidationError[] {
    if (this.#storage === undefined || !isRecord(object) || Array.isArray(object) || isBinary(object)) return [];
    if (typeof object.constructor !== 'function' || !Object.values(object).some(isRecord)) return [];
    const rules = this.#rulesOf(object.constructor);
    const seen = new Set<string>();
    const errors: ValidationError[] = [];
    for (const rule of rules) {
      const { type, propertyName } = rule;
      if (type !== NESTED || seen.has(propertyName)) continue;
      seen.add(propertyName);
      const value = object[propertyName];
      const error = this.#errorOf(propertyName, value, messageOf(rule));
      if (error !== null && isAsked(rules, object, propertyName, value)) errors.push(error);
    }
    return errors;
  }

  #rulesOf(type: Function): ValidationMetadata[] {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    const { always = false, strictGroups = false, groups } = this.#options;
    const rules = this.#storage?.getTargetValidationMetadatas(type, undefined, always, strictGroups, groups) ?? [];
    this.#known.set(type, rules);
    return rules;
  }

  #errorOf(property: string, value: unknown, message: string): ValidationError | null {
    if (isBinary(value)) return { property, constraints: { [NESTED]: message }, children: [] };
    const children: ValidationError[] = [];
    if (Array.isArray(value) || value instanceof Set || value instanceof Map) {
      const items: Iterable<[unknown, unknown]> = value instanceof Map ? value : [...value].entries();
      for (const [key, item] of items) {
        const error = this.#errorOf(String(key), item, message);
        if (error !== null) children.push(error);
      }
    } else children.push(...this.find(value));
    return children.length > 0 ? { property, children } : null;
  }
}

function messageOf({ message, each, propertyName }: ValidationMetadata): string {
  const own = `${each === true ? 'each value in ' : ''}nested property $property must be either object or array`;
  return (typeof message === 'string' ? message : own).replaceAll('$property', () => propertyName);
}

/** `@ValidateIf()` and `@IsOptional()` may say that nobody asks. */
const isAsked = (rules: readonly ValidationMetadata[], object: unknown, property: string, value: unknown): boolean =>
  rules.every((rule) => rule.type !== CONDITIONAL || rule.propertyName !== property || Boolean(rule.constraints[0]?.(object, value)));
