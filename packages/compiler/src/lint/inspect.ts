/**
 * What a source leaves open by its types: looked at with the same checker and in the same form as what is compiled,
 * so that what is told is what would happen. Emits nothing.
 */
import type ts from 'typescript';
import { codecsIn, type KnownCodecs } from '../program/codecs.ts';
import { filesBehind } from '../program/graph.ts';
import { programs } from '../program/programs.ts';
import type { Finding, RuleName } from './finding-types.ts';
import { typedRoutes } from './typed-routes.ts';
import { unreachableUnions } from './unreachable.ts';

/** A source as the rules have it. */
export interface Inspected {
  readonly source: ts.SourceFile;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly codecs: KnownCodecs;
}

export type Report = (from: ts.Node, message: string) => void;

const RULES: Readonly<Record<RuleName, (inspected: Inspected, report: Report) => void>> = {
  'typed-routes': typedRoutes,
  'no-unreachable-union': unreachableUnions,
};

export function inspect(rule: RuleName, file: string, text: string): Finding[] {
  const path = file.replaceAll('\\', '/');
  const { program } = programs.programOf({ file: path, text });
  const source = program.getSourceFile(path);
  if (source === undefined) return [];
  const found: Finding[] = [];
  const placeOf = (at: number): Finding['start'] => {
    const { line, character } = source.getLineAndCharacterOfPosition(at);
    return { line: line + 1, column: character };
  };
  const codecs = codecsIn(filesBehind(source, program), program);
  RULES[rule]({ source, program, checker: program.getTypeChecker(), codecs }, (node, message) => {
    found.push({ rule, message, start: placeOf(node.getStart(source)), end: placeOf(node.end) });
  });
  return found;
}
