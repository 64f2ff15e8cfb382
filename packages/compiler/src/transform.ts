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
import type { PartParam } from './analyze/parts.ts';
import { paramsOf, resultOf } from './analyze/procedures.ts';
import { type RouteShapes, routeOf } from './analyze/routes.ts';
import { wireProblem } from './analyze/wire-problem.ts';
import { type Emitted, SourceEmitter } from './emit/source.ts';
import { MODULE, typeAt, type Use, usesOf } from './program/calls.ts';
import { codecsIn, type KnownCodecs } from './program/codecs.ts';
import { filesBehind } from './program/graph.ts';
import { type MiddlewareUse, middlewareUsesOf, type Part } from './program/middleware.ts';
import { type RpcUse, rpcUsesOf } from './program/procedures.ts';
import { programs } from './program/programs.ts';
import { settingsOf } from './program/settings.ts';
import { classOf, type TypedParameter, typedParametersOf } from './program/typed-classes.ts';

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

/** `undefined`: the source uses nothing that is compiled. @throws CompileError */
export function transform(file: string, text: string): Transformed | undefined {
  const path = file.replaceAll('\\', '/');
  const { program, configs } = programs.programOf({ file: path, text });
  const source = program.getSourceFile(path);
  if (source === undefined) return undefined;
  const checker = program.getTypeChecker();
  const uses = usesOf(source, checker);
  const apis = rpcUsesOf(source, checker);
  const around = middlewareUsesOf(source, checker);
  if (uses.length === 0 && apis.length === 0 && around.length === 0) return undefined;
  const problems: Problem[] = [];
  const behind = filesBehind(source, program);
  const {
    shapes,
    routes,
    classes,
    procedures,
    declared,
    definitions,
    files: reached,
  } = analyzed(
    { uses, apis, around },
    { program, checker, source, problems, codecs: codecsIn(behind, program), strict: settingsOf(configs).strictTypes },
  );
  const files = [...new Set([...configs, ...reached, ...behind])].filter((one) => one !== path);
  if (problems.length > 0) throw new CompileError(problems, files);
  const emitter = new SourceEmitter(definitions, freePrefix(text));
  const edited = new MagicString(text);
  for (const [at, use] of uses.entries()) {
    if (use.name === 'typed') {
      const { end, parameters } = classes.get(use) as TypedClass;
      edited.appendLeft(end, classText(parameters, emitter, definitions));
      continue;
    }
    const name =
      use.name === 'route'
        ? routeText(routes.get(use) ?? {}, emitter, definitions)
        : emitter.use(use.name, withDiscriminators(shapes[at] as Shape, definitions));
    edited.overwrite(use.start, use.end, isShorthand(use) ? `${use.node.getText(source)}: ${name}` : name);
  }
  for (const [at, api] of apis.entries()) {
    const known = (procedures[at] ?? []).map((one) => procedureText(one, emitter, definitions));
    edited.appendLeft(api.end, `${api.hasOptions ? '' : ', {}'}, { ${known.join(', ')} }`);
  }
  for (const [at, { end }] of around.entries()) {
    const known = (declared[at] ?? []).map((one) => declaredText(one, emitter, definitions));
    edited.appendLeft(end, `, { ${known.join(', ')} }`);
  }
  edited.appendLeft(prologueEnd(source), `${emitter.text(MODULE, bindsOf(source))}\n`);
  const { version, mappings, names, sources, sourcesContent } = edited.generateMap({
    source: file,
    includeContent: true,
    hires: 'boundary',
  });
  const map = { version, mappings, names, sources, sourcesContent };
  return { code: edited.toString(), map, files };
}

/** A function in the place of `route<…>`: what it gives are options of a route. */
function routeText(places: RouteShapes, emitter: SourceEmitter, definitions: Record<string, Shape>): string {
  const made = (place: string, shape: Shape): string =>
    `${emitter.use(place === 'response' ? 'schema' : 'input', withDiscriminators(shape, definitions))}()`;
  const members = Object.entries(places).map(([place, found]) => {
    if (!('byStatus' in found)) return `${place}: ${made(place, found)}`;
    return `${place}: { ${Object.entries(found.byStatus)
      .map(([status, shape]) => `${status}: ${made(place, shape)}`)
      .join(', ')} }`;
  });
  return `(() => ({ ${members.join(', ')} }))`;
}

/** What `typed()` is called with: by method and place a schema. */
function classText(parameters: TypedClass['parameters'], emitter: SourceEmitter, definitions: Record<string, Shape>): string {
  const methods = new Map<string, string[]>();
  for (const [{ method, index, isOptional }, shape] of parameters) {
    const schema = `${emitter.use('input', withDiscriminators(shape, definitions))}()`;
    const made = `${index}: { schema: ${schema}, isOptional: ${isOptional} }`;
    methods.set(method, [...(methods.get(method) ?? []), made]);
  }
  return `{ ${[...methods].map(([name, all]) => `[${JSON.stringify(name)}]: { ${all.join(', ')} }`).join(', ')} }`;
}

/** A class with `@typed()`; `end`: before the bracket that closes the call. */
interface TypedClass {
  readonly end: number;
  readonly parameters: readonly (readonly [parameter: TypedParameter, shape: Shape])[];
}

interface ProcedureShapes {
  readonly name: string;
  readonly params: Shape;
  readonly parts: readonly PartParam[];
  readonly returns: Shape;
  readonly isStrict: boolean;
}

type DeclaredShape = readonly [part: Part, shape: Shape];

/** A member of what `rpc()` is given as its third argument, as `CompiledApi` of `fulmar/rpc` has it. */
function procedureText(
  { name, params, parts: files, returns, isStrict }: ProcedureShapes,
  emitter: SourceEmitter,
  definitions: Record<string, Shape>,
): string {
  const use: Emit = (called, shape) => emitter.use(called, withDiscriminators(shape, definitions));
  const items = ({ items: shape, ...part }: PartParam): string =>
    `${JSON.stringify(part).slice(0, -1)}${shape === undefined ? '' : `,"items":${use('input', shape)}()`}}`;
  const known = `params: ${use('input', params)}()${isStrict ? ', isStrict: true' : ''}`;
  const more = files.length === 0 ? '' : `, parts: [${files.map(items).join(', ')}]`;
  return `${JSON.stringify(name)}: { ${known}, ${resultText(returns, use)}${more} }`;
}

type Emit = (called: Emitted, shape: Shape) => string;

const resultText = (shape: Shape, use: Emit): string =>
  `stringify: ${use('stringify', shape)}, errors: ${use('errors', shape)}, declared: ${use('declared', shape)}, shape: ${use('schemaOf', shape)}()`;

/** A member of the last argument of `middleware()`, as `CompiledDeclared` of `fulmar/rpc` has it. */
function declaredText([part, shape]: DeclaredShape, emitter: SourceEmitter, definitions: Record<string, Shape>): string {
  const use: Emit = (called, one) => emitter.use(called, withDiscriminators(one, definitions));
  switch (part) {
    case 'values':
      return `values: ${use('input', shape)}()`;
    case 'headers':
      return `headers: ${use('schemaOf', shape)}()`;
    case 'results':
      return `results: { ${resultText(shape, use)} }`;
    case 'replyHeaders':
      return `replyHeaders: { errors: ${use('errors', shape)} }`;
  }
}

interface Uses {
  readonly uses: readonly Use[];
  readonly apis: readonly RpcUse[];
  readonly around: readonly MiddlewareUse[];
}

interface Analysed {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly source: ts.SourceFile;
  readonly problems: Problem[];
  readonly codecs: KnownCodecs;
  readonly strict: boolean;
}

function analyzed(
  { uses, apis, around }: Uses,
  { program, checker, source, problems, codecs, strict }: Analysed,
): {
  shapes: Shape[];
  routes: Map<Use, RouteShapes>;
  classes: Map<Use, TypedClass>;
  procedures: ProcedureShapes[][];
  declared: DeclaredShape[][];
  definitions: Record<string, Shape>;
  files: Set<string>;
} {
  let start = 0;
  const tell = (path: string, message: string): void => {
    const { line, character } = source.getLineAndCharacterOfPosition(start);
    problems.push({ file: source.fileName, line: line + 1, column: character + 1, path, message });
  };
  const analyzer = new Analyzer({ program, checker, tell, codecs, strict });
  const routes = new Map<Use, RouteShapes>();
  const classes = new Map<Use, TypedClass>();
  const shapes = uses.map((use): Shape => {
    start = use.start;
    if (use.name === 'typed') {
      const found = classOf(use);
      if (found === undefined) return analyzer.tell('', 'typed is a decorator of classes, and is called without anything: write @typed()');
      const parameters = typedParametersOf(found.owner, checker).map((one): [TypedParameter, Shape] => {
        start = one.node.getStart(source);
        return [one, parameterShape(one, analyzer)];
      });
      classes.set(use, { end: found.call.end - 1, parameters });
      return { kind: 'never' };
    }
    const type = typeOf(use, checker);
    if (type === undefined) return analyzer.tell('', `${use.name} does not say which type it is for: write ${use.name}<User>`);
    const title = use.type?.getText(source).replaceAll(/\s+/g, ' ') ?? checker.typeToString(type);
    const path = title.length > 60 || title.startsWith('{') ? 'the type' : title;
    if (use.name === 'route') {
      routes.set(use, routeOf(type, path, analyzer));
      return { kind: 'never' };
    }
    const shape = analyzer.shapeOf(type, path);
    const problem = wireProblem(use.name, shape, analyzer.definitions);
    return problem === undefined ? shape : analyzer.tell(path, problem);
  });
  const procedures = apis.map(({ node, procedures: all }) => {
    start = node.getStart(source);
    return all.map((one) => {
      const { name, isStrict } = one;
      const { shape: params, parts } = paramsOf(one, node, analyzer);
      for (const shape of [params, ...parts.map(({ items }) => items ?? params)]) {
        const problem = wireProblem('schema', shape, analyzer.definitions);
        if (problem !== undefined) analyzer.tell(name, problem);
      }
      return { name, params, parts, returns: resultOf(one, analyzer), isStrict };
    });
  });
  const declared = around.map(({ node, parts }) => {
    start = node.getStart(source);
    return parts.map(([part, type]): DeclaredShape => {
      const path = `${part} of the middleware`;
      const shape = analyzer.shapeOf(type, path);
      const problem = part === 'values' ? wireProblem('schema', shape, analyzer.definitions) : undefined;
      return [part, problem === undefined ? shape : analyzer.tell(path, problem)];
    });
  });
  const definitions = Object.create(null) as Record<string, Shape>;
  for (const [name, shape] of Object.entries(analyzer.definitions)) definitions[name] = withDiscriminators(shape, analyzer.definitions);
  return { shapes, routes, classes, procedures, declared, definitions, files: analyzer.files };
}

function parameterShape({ method, name, type }: TypedParameter, analyzer: Analyzer): Shape {
  const where = `${name} of ${method}()`;
  if (type === undefined) return analyzer.tell(where, 'has no type, and @typed() makes schemas of types: annotate it');
  const shape = analyzer.shapeOf(analyzer.checker.getTypeFromTypeNode(type), where);
  const problem = wireProblem('schema', shape, analyzer.definitions);
  return problem === undefined ? shape : analyzer.tell(where, problem);
}

function typeOf({ type, value }: Use, checker: ts.TypeChecker): ts.Type | undefined {
  if (type !== undefined) return checker.getTypeFromTypeNode(type);
  return value === undefined ? undefined : checker.getBaseTypeOfLiteralType(typeAt(value, checker));
}

const isShorthand = ({ node }: Use): boolean => ts.isShorthandPropertyAssignment(node.parent);

/** Does the source declare or import something by a name, at its top? */
function bindsOf(source: ts.SourceFile): (name: string) => boolean {
  // What the checker has bound; it has no public name.
  const { locals } = source as ts.SourceFile & { readonly locals?: ReadonlyMap<string, unknown> };
  return (name) => locals?.has(name) === true;
}

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
