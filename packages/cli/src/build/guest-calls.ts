/**
 * Which literals in a call of `import` name files for another language: `python.import('./model.py')`, and the `classPath`
 * of `java.import()`. Says what is written, never whether it is there.
 */
import { guestEnding } from '../../../fulmar/src/host/guest-files.ts';

/** The part of an ESTree node that is needed here. */
interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Its packages are imported as those of a module are; imports of JavaScript's do not lead to it. */
const isGuestFile = (path: string): boolean => guestEnding(path) !== undefined || path.endsWith('.jar');

const isRelative = (path: string | undefined): path is string => path !== undefined && /^\.{1,2}\//.test(path);

interface GuestLiteral<Of> {
  readonly node: Of;
  readonly path: string;
}

/** A path without an ending: a package of Python. */
const mayBePackage = (path: string): boolean => !/\.\w+$/.test(path);

interface Reading<Of> {
  /** The text of a string. */
  readonly literal: (node: Of) => string | undefined;
  /** It is `python` that imports. */
  readonly isPython: boolean;
}

/** @param args of the call */
export function guestLiterals<Of extends Node>(args: readonly Of[], { literal, isPython }: Reading<Of>): GuestLiteral<Of>[] {
  const named = (nodes: readonly (Of | null)[]): GuestLiteral<Of>[] =>
    nodes.flatMap((node) => {
      const path = node === null ? undefined : literal(node);
      return node !== null && isRelative(path) ? [{ node, path }] : [];
    });
  const file = named(args.slice(0, 2)).find(({ path }) => isGuestFile(path) || (isPython && mayBePackage(path)));
  return [...(file === undefined ? [] : [file]), ...args.slice(1, 3).flatMap((options) => named(classPathOf(options)))];
}

/** `{ options: { classPath: ['./lib/model.jar'] } }` */
function classPathOf<Of extends Node>(options: Of): readonly (Of | null)[] {
  const value = memberOf(memberOf(options, 'options'), 'classPath');
  if (value === undefined) return [];
  return value.type === 'ArrayExpression' ? (value['elements'] as readonly (Of | null)[]) : [value];
}

function memberOf<Of extends Node>(node: Of | undefined, name: string): Of | undefined {
  if (node?.type !== 'ObjectExpression') return undefined;
  for (const property of node['properties'] as Node[]) {
    const key = property['key'] as Node | undefined;
    if (key?.['name'] === name || key?.['value'] === name) return property['value'] as Of;
  }
  return undefined;
}
