/** What is told of a shape at a glance: how dear its check is, and whether it takes `undefined`. */
import { partsOf, type Shape } from '../../../fulmar/src/shape/shape.ts';
import type { Module } from './module.ts';

/** Definitions that are nothing but another one: a longer chain is a circle. */
const CHAIN_MAX = 20;

/** Decided by reading the value once. */
export function isBare(shape: Shape): boolean {
  if (shape.kind === 'literal') return true;
  if (shape.kind === 'number') return Object.keys(shape).every((key) => ['kind', 'integer', 'notes', 'default'].includes(key));
  return shape.kind === 'string' && Object.keys(shape).every((key) => ['kind', 'notes', 'default'].includes(key));
}

/** What is refused at a glance stands before what must be looked into. */
export function costOf(shape: Shape): number {
  if (['array', 'tuple', 'map', 'set', 'intersection'].includes(shape.kind)) return 3;
  if (['object', 'reference', 'union'].includes(shape.kind)) return 2;
  return shape.kind === 'template' || (shape.kind === 'string' && !isBare(shape)) ? 1 : 0;
}

/** May a value of the shape be `undefined`? */
export function mayBeUndefined(shape: Shape, definitions: Readonly<Record<string, Shape>>, depth = 0): boolean {
  if (shape.kind === 'any' || shape.kind === 'undefined') return true;
  if (shape.kind === 'literal') return shape.value === undefined;
  if (shape.kind === 'enum') return shape.values.includes(undefined);
  if (shape.kind === 'union') return shape.members.some((member) => mayBeUndefined(member, definitions, depth));
  if (shape.kind !== 'reference' || depth > CHAIN_MAX) return false;
  return mayBeUndefined(definitions[shape.name] ?? { kind: 'never' }, definitions, depth + 1);
}

/** Does the shape lead to one that contains itself? Definitions that do not are looked through. */
export function isRecursive(shape: Shape, module: Module, depth = 0): boolean {
  if (depth > CHAIN_MAX) return true;
  if (shape.kind !== 'reference') return partsOf(shape).some((part) => isRecursive(part, module, depth));
  return module.recursive.has(shape.name) || isRecursive(module.definitions[shape.name] ?? { kind: 'never' }, module, depth + 1);
}
