/**
 * Classes of Python as types: what a handle of one has, the fields of what becomes an object, the values of an enum; and
 * the class itself, as a member of its module. Pure.
 */
import { type Annotations, quoted } from './annotations.ts';
import { braced, isShown, jsdoc, propertyName } from './lines.ts';
import type { Declaration, Expression, FunctionDeclaration, Parameter, ValueDeclaration } from './python-module.ts';
import { lastOf, nameOf, type PythonClass } from './scope.ts';
import { parameterLists, signaturesOf } from './signatures.ts';

/** Functions by name: several are `overload`s, or a property with what sets it. */
export function functionsOf(body: readonly Declaration[]): Map<string, FunctionDeclaration[]> {
  const functions = new Map<string, FunctionDeclaration[]>();
  for (const one of body) {
    if (one.kind !== 'function' || one.decorators.some((name) => /\.(?:setter|deleter|getter)$/.test(name))) continue;
    functions.set(one.name, [...(functions.get(one.name) ?? []), one]);
  }
  return functions;
}

/** One for each name: the last that says a type, or else the first. */
function valuesOf(body: readonly Declaration[]): ValueDeclaration[] {
  const values = new Map<string, ValueDeclaration>();
  for (const one of body) if (one.kind === 'value' && (one.annotation !== null || !values.has(one.name))) values.set(one.name, one);
  return [...values.values()];
}

const has = ({ decorators }: FunctionDeclaration, ...names: readonly string[]): boolean =>
  decorators.some((name) => names.includes(lastOf(name)));
const isProperty = (one: FunctionDeclaration): boolean => has(one, 'property', 'cached_property', 'abstractproperty');
const isStatic = (one: FunctionDeclaration): boolean => has(one, 'staticmethod', 'classmethod');
const isAround = (annotation: Expression | null, name: string): boolean => annotation?.kind === 'index' && nameOf(annotation.of) === name;

/** The lines of functions of one name. */
export function memberLines(functions: readonly FunctionDeclaration[], annotations: Annotations, isMethod: boolean): string[] {
  const [first] = functions;
  if (first === undefined) return [];
  const doc = functions.findLast((one) => one.doc !== null)?.doc;
  return [...jsdoc(doc), ...signaturesOf(functions, annotations, { name: propertyName(first.name), isMethod }).map((line) => `${line};`)];
}

/** A member that is asked for by `await`. */
export function attributeLine(name: string, type: string, annotations: Annotations): string {
  return `readonly ${propertyName(name)}: ${annotations.isObject(type) ? `${type} & ` : ''}PromiseLike<${type}>;`;
}

export const typeOfValue = ({ annotation, value }: ValueDeclaration, annotations: Annotations): string =>
  annotation === null || (nameOf(annotation) === 'Final' && annotation.kind === 'name')
    ? annotations.typeOfValue(value)
    : annotations.typeOf(annotation, 'out');

/** Of objects that stay with Python. */
export function objectInterface(one: PythonClass, annotations: Annotations): string[] {
  const { body, doc } = one.declaration;
  const members = new Map<string, string[]>();
  const functions = functionsOf(body);
  for (const value of valuesOf(body)) members.set(value.name, [attributeLine(value.name, typeOfValue(value, annotations), annotations)]);
  for (const [name, declared] of functions) {
    const last = declared.at(-1) as FunctionDeclaration;
    if (isStatic(last)) continue;
    if (isProperty(last))
      members.set(name, [...jsdoc(last.doc), attributeLine(name, annotations.typeOf(last.returns, 'out'), annotations)]);
    else members.set(name, memberLines(declared, annotations, true));
  }
  const shown = [...members].filter(([name]) => isShown(name));
  const called = signaturesOf(functions.get('__call__') ?? [], annotations, { name: '', isMethod: true }).map((line) => `${line};`);
  const heads = [
    ...(one.bases.length === 0 ? ['GuestHandle'] : []),
    ...one.bases.map((base) =>
      extended(
        base,
        shown.map(([name]) => name),
      ),
    ),
    ...iterated(functions, annotations),
  ];
  const head = `export interface ${one.name}${heads.length === 0 ? '' : ` extends ${heads.join(', ')}`}`;
  return [...jsdoc(doc), ...braced(head, [...called, ...shown.flatMap(([, lines]) => lines)])];
}

/** What Python may declare anew as something else, TypeScript may not. */
function extended({ name, declaration }: PythonClass, names: readonly string[]): string {
  const theirs = new Set(declaration.body.map((member) => member.name));
  const anew = names.filter((one) => theirs.has(one));
  return anew.length === 0 ? name : `Omit<${name}, ${anew.map(quoted).join(' | ')}>`;
}

function iterated(functions: ReadonlyMap<string, readonly FunctionDeclaration[]>, annotations: Annotations): string[] {
  const [own] = functions.get('__aiter__') ?? functions.get('__iter__') ?? [];
  if (own === undefined) return [];
  const type = annotations.typeOf(own.returns, 'out');
  return [type.startsWith('AsyncIterable<') ? type : 'AsyncIterable<unknown>'];
}

/** Of what JavaScript gets as an object. */
export function dataInterface(one: PythonClass, annotations: Annotations): string[] {
  const { declaration, bases, name } = one;
  const isTotal = declaration.keywords['total']?.kind !== 'constant' || declaration.keywords['total'].value !== false;
  const lines = fieldsOf(declaration.body).map((field) => {
    const isOptional =
      one.kind === 'dict' && (!isTotal || isAround(field.annotation, 'NotRequired')) && !isAround(field.annotation, 'Required');
    return `${propertyName(field.name)}${isOptional ? '?' : ''}: ${annotations.typeOf(field.annotation, 'out')};`;
  });
  const names = fieldsOf(declaration.body).map((field) => field.name);
  const heads = bases.map((base) => extended(base, names));
  return [
    ...jsdoc(declaration.doc),
    ...braced(`export interface ${name}${heads.length === 0 ? '' : ` extends ${heads.join(', ')}`}`, lines),
  ];
}

const fieldsOf = (body: readonly Declaration[]): ValueDeclaration[] =>
  body.filter(
    (one) => one.kind === 'value' && one.annotation !== null && isShown(one.name) && !isAround(one.annotation, 'ClassVar'),
  ) as ValueDeclaration[];

/** The values of its members: what JavaScript gets of one. */
export function enumType(one: PythonClass, annotations: Annotations): string[] {
  const types = [...new Set(enumMembers(one).map(({ value }) => valueType(value, annotations)))];
  return [
    ...jsdoc(one.declaration.doc),
    `export type ${one.name} = ${types.length === 0 || types.includes('unknown') ? 'unknown' : types.join(' | ')};`,
  ];
}

const enumMembers = ({ declaration }: PythonClass): ValueDeclaration[] =>
  declaration.body.filter((one) => one.kind === 'value' && isShown(one.name) && one.value !== null) as ValueDeclaration[];

function valueType(value: Expression | null, annotations: Annotations): string {
  if (value?.kind === 'constant' && value.type === 'str') return quoted(String(value.value));
  if (value?.kind === 'constant' && value.type === 'int') return String(value.value);
  if (value?.kind === 'call' && nameOf(value.of) === 'auto') return 'string | number';
  return annotations.typeOfValue(value);
}

/** The class, as a member of its module. */
export function classLines(one: PythonClass, annotations: Annotations): string[] {
  const { declaration, name, kind } = one;
  const line = classLists(one, annotations).map((list) => `new (${list}): Promise<${name}>;`);
  if (kind === 'enum') {
    const members = enumMembers(one).map(
      (member) => `readonly ${propertyName(member.name)}: PromiseLike<${valueType(member.value, annotations)}>;`,
    );
    return [
      ...jsdoc(declaration.doc),
      ...braced(`readonly ${propertyName(declaration.name)}:`, ['new (value: unknown): Promise<' + name + '>;', ...members], '};'),
    ];
  }
  return [
    ...jsdoc(declaration.doc),
    ...braced(`readonly ${propertyName(declaration.name)}:`, [...line, ...[...statics(one, annotations).values()].flat()], '};'),
  ];
}

function statics(one: PythonClass, annotations: Annotations): Map<string, string[]> {
  const members = new Map(one.bases.flatMap((base) => [...statics(base, annotations)]));
  const { body } = one.declaration;
  for (const value of valuesOf(body)) {
    const isOfClass =
      isAround(value.annotation, 'ClassVar') || (one.kind === 'object' && value.value?.kind === 'constant' && !isOfInit(value, body));
    if (isOfClass && isShown(value.name))
      members.set(value.name, [attributeLine(value.name, typeOfValue(value, annotations), annotations)]);
  }
  for (const [name, declared] of functionsOf(body)) {
    const last = declared.at(-1) as FunctionDeclaration;
    if (isShown(name) && isStatic(last)) members.set(name, memberLines(declared, annotations, has(last, 'classmethod')));
  }
  return members;
}

/** What \`__init__\` sets comes behind the last function. */
const isOfInit = (value: ValueDeclaration, body: readonly Declaration[]): boolean => {
  const last = body.findLastIndex((one) => one.kind === 'function');
  return last >= 0 && body.indexOf(value) > last;
};

/** What makes an object: `__init__`, that of a class it extends, or the fields. */
function classLists(one: PythonClass, annotations: Annotations): string[] {
  const init = functionsOf(one.declaration.body).get('__init__');
  if (init !== undefined) return init.flatMap((each) => parameterLists(each.parameters, annotations, true));
  if (one.kind === 'data') return parameterLists(fieldParameters(one), annotations, false);
  const [base] = one.bases;
  if (base !== undefined) return classLists(base, annotations);
  return one.hasForeignBase ? ['...args: readonly unknown[]'] : [''];
}

/** Those of classes it extends come first; models of pydantic take them by name alone. */
function fieldParameters(one: PythonClass): Parameter[] {
  const isNamed = isPydantic(one);
  const own = fieldsOf(one.declaration.body).map(({ name, annotation, value }): Parameter => ({
    name,
    kind: isNamed ? 'named' : 'any',
    annotation,
    isOptional: hasDefault(value),
  }));
  const all = new Map(
    [...one.bases.flatMap(fieldParameters), ...own].map((parameter) => [
      parameter.name,
      { ...parameter, kind: isNamed ? 'named' : parameter.kind } as Parameter,
    ]),
  );
  return [...all.values()];
}

const isPydantic = ({ declaration, bases }: PythonClass): boolean =>
  declaration.bases.some((base) => nameOf(base) === 'BaseModel') || bases.some(isPydantic);

function hasDefault(value: Expression | null): boolean {
  if (value === null) return false;
  if (value.kind !== 'call' || !['Field', 'field'].includes(nameOf(value.of) ?? '')) return true;
  const [first] = value.items;
  const isGiven = first !== undefined && !(first.kind === 'constant' && first.type === 'ellipsis');
  return isGiven || (value.named ?? []).some((name) => name === 'default' || name === 'default_factory');
}
