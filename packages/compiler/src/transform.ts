/**
 * One source of an application: finds the uses of `fulmar/types`, makes their code, and puts it into the
 * source, with a map of where everything was. Throws one error for all that cannot be compiled.
 */
import MagicString from 'magic-string';
import ts from 'typescript';
import type { Shape } from '../../fulmar/src/shape/shape.ts';
import { Analyzer } from './analyze/analyzer.ts';
import { withDiscriminators } from './analyze/discriminators.ts';
import { CompileError, type Problem } from './analyze/problem.ts';
import { paramsOf, resultOf } from './analyze/procedures.ts';
import { wireProblem } from './analyze/wire-problem.ts';
import { type Made, SourceEmitter } from './emit/source.ts';
import { MODULE, type Use, usesOf } from './program/calls.ts';
import { filesBehind } from './program/graph.ts';
import { type RpcUse, rpcUsesOf } from './program/procedures.ts';
import { Programs } from './program/programs.ts';

export interface Transformed {
  readonly code: string;
  readonly map: {
    readonly version: number;
    readonly mappings: string;
    readonly names: string[];
    readonly sources: string[];
    readonly sourcesContent?: (string | null)[] | undefined;
  };
  /** Files besides the source itself that the code was made of: it is stale when one of them changes. */
  readonly files: readonly string[];
}

const programs = new Programs();

/** `undefined`: the source uses nothing that is compiled. @throws CompileError */
export function transform(file: string, text: string): Transformed | undefined {
  const path = file.replaceAll('\\', '/');
  const { program, configs } = programs.programOf({ file: path, text });
  const source = program.getSourceFile(path);
  if (source === undefined) return undefined;
  const checker = program.getTypeChecker();
  const uses = usesOf(source, checker);
  const apis = rpcUsesOf(source, checker);
  if (uses.length === 0 && apis.length === 0) return undefined;
  const problems: Problem[] = [];
  const { shapes, procedures, definitions, files } = analyzed({ uses, apis }, { program, checker, source, problems });
  if (problems.length > 0) throw new CompileError(problems);
  const emitter = new SourceEmitter(definitions, freePrefix(text));
  const edited = new MagicString(text);
  for (const [at, use] of uses.entries()) {
    const name = emitter.use(use.name, withDiscriminators(shapes[at] as Shape, definitions));
    edited.overwrite(use.start, use.end, isShorthand(use) ? `${use.node.getText(source)}: ${name}` : name);
  }
  for (const [at, api] of apis.entries()) {
    const known = (procedures[at] ?? []).map((one) => procedureText(one, emitter, definitions));
    edited.appendLeft(api.end, `${api.hasOptions ? '' : ', {}'}, { ${known.join(', ')} }`);
  }
  edited.appendLeft(prologueEnd(source), `${emitter.text(MODULE)}\n`);
  const { version, mappings, names, sources, sourcesContent } = edited.generateMap({
    source: file,
    includeContent: true,
    hires: 'boundary',
  });
  const map = { version, mappings, names, sources, sourcesContent };
  return {
    code: edited.toString(),
    map,
    files: [...new Set([...configs, ...files, ...filesBehind(source, program)])].filter((one) => one !== path),
  };
}

interface ProcedureShapes {
  readonly name: string;
  readonly params: Shape;
  readonly returns: Shape;
}

/** A member of what `rpc()` is given as its third argument, as `CompiledApi` of `fulmar/rpc` has it. */
function procedureText({ name, params, returns }: ProcedureShapes, emitter: SourceEmitter, definitions: Record<string, Shape>): string {
  const use = (called: Made, shape: Shape): string => emitter.use(called, withDiscriminators(shape, definitions));
  const parts = `params: ${use('schema', params)}(), stringify: ${use('stringify', returns)}, errors: ${use('errors', returns)}, declared: ${use('declared', returns)}`;
  return `${JSON.stringify(name)}: { ${parts}, shape: ${use('schemaOf', returns)}() }`;
}

interface Uses {
  readonly uses: readonly Use[];
  readonly apis: readonly RpcUse[];
}

interface Analysed {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly source: ts.SourceFile;
  readonly problems: Problem[];
}

function analyzed(
  { uses, apis }: Uses,
  { program, checker, source, problems }: Analysed,
): { shapes: Shape[]; procedures: ProcedureShapes[][]; definitions: Record<string, Shape>; files: Set<string> } {
  let start = 0;
  const tell = (path: string, message: string): void => {
    const { line, character } = source.getLineAndCharacterOfPosition(start);
    problems.push({ file: source.fileName, line: line + 1, column: character + 1, path, message });
  };
  const analyzer = new Analyzer({ program, checker, tell });
  const shapes = uses.map((use): Shape => {
    start = use.start;
    const type = typeOf(use, checker);
    if (type === undefined) return analyzer.tell('', `${use.name} does not say which type it is for: write ${use.name}<User>`);
    const title = use.type?.getText(source).replaceAll(/\s+/g, ' ') ?? checker.typeToString(type);
    const path = title.length > 60 || title.startsWith('{') ? 'the type' : title;
    const shape = analyzer.shapeOf(type, path);
    const problem = wireProblem(use.name, shape, analyzer.definitions);
    return problem === undefined ? shape : analyzer.tell(path, problem);
  });
  const procedures = apis.map(({ node, procedures: all }) => {
    start = node.getStart(source);
    return all.map((one) => {
      const params = paramsOf(one, node, analyzer);
      const problem = wireProblem('schema', params, analyzer.definitions);
      if (problem !== undefined) analyzer.tell(one.name, problem);
      return { name: one.name, params, returns: resultOf(one, analyzer) };
    });
  });
  const definitions = Object.create(null) as Record<string, Shape>;
  for (const [name, shape] of Object.entries(analyzer.definitions)) definitions[name] = withDiscriminators(shape, analyzer.definitions);
  return { shapes, procedures, definitions, files: analyzer.files };
}

function typeOf({ type, value }: Use, checker: ts.TypeChecker): ts.Type | undefined {
  if (type !== undefined) return checker.getTypeFromTypeNode(type);
  return value === undefined ? undefined : checker.getBaseTypeOfLiteralType(checker.getTypeAtLocation(value));
}

const isShorthand = ({ node }: Use): boolean => ts.isShorthandPropertyAssignment(node.parent);

/** Names of ours that the source has not. */
function freePrefix(text: string): string {
  let prefix = '$t';
  while (text.includes(prefix)) prefix += 't';
  return prefix;
}

/** Behind `#!` and directives such as 'use strict'. */
function prologueEnd(source: ts.SourceFile): number {
  let end = ts.getShebang(source.text)?.length ?? 0;
  for (const statement of source.statements) {
    if (!ts.isExpressionStatement(statement) || !ts.isStringLiteral(statement.expression))
      return end === 0 ? 0 : lineAfter(source.text, end);
    end = statement.end;
  }
  return lineAfter(source.text, end);
}

function lineAfter(text: string, end: number): number {
  const found = text.indexOf('\n', end);
  return found === -1 ? end : found + 1;
}
