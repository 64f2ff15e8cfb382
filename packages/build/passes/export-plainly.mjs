/**
 * Makes a chunk export its values instead of getters. rolldown defines a getter for each name that another
 * chunk imports; on the native host each of them is a function to read and to make at the start, and one to
 * call at every use.
 *
 * A getter is needed where the variable changes after the chunk has run: it stays for what is assigned
 * anywhere but in its declaration, and for what has no value yet where the getter stands. Getters of another
 * form than rolldown's are an error: this pass would leave them all.
 */
import { applyEdits, namesIn, parse, walk } from './syntax.mjs';

/** `code` as rolldown writes it, in CommonJS. */
export function exportPlainly(code) {
  const program = parse(code);
  const getters = program.body.map(getterOf).filter((getter) => getter?.name !== undefined);
  if (getters.length === 0) return code;
  const declared = declarationsIn(program);
  const changing = changedNames(namesIn(program), declared);
  const isFixed = ({ name, statement }) => !changing.has(name) && hasValueAt(declared.get(name), statement);
  return applyEdits(
    code,
    getters.filter(isFixed).map(({ exported, name, statement: { start, end } }) => [start, end, `exports.${exported} = ${name};`]),
  );
}

/**
 * What a statement defines on `exports`; without a `name` where a getter gives more than a variable of this
 * chunk.
 */
function getterOf(statement) {
  const call = statement.type === 'ExpressionStatement' ? statement.expression : undefined;
  const [target, key, descriptor] = call?.type === 'CallExpression' ? call.arguments : [];
  if (target?.type !== 'Identifier' || target.name !== 'exports' || !hasFunction(call)) return undefined;
  const body = descriptor?.properties?.find((property) => property.key.name === 'get' && property.value.type === 'FunctionExpression')
    ?.value.body.body;
  if (typeof key.value !== 'string' || body?.length !== 1 || body[0].type !== 'ReturnStatement') {
    throw new Error('export-plainly: rolldown defines an export in a way that this pass does not know');
  }
  const { argument } = body[0];
  return { exported: key.value, name: argument.type === 'Identifier' ? argument.name : undefined, statement };
}

function hasFunction(node) {
  let has = false;
  walk(node, ({ type }) => (has ||= /Function/.test(type)));
  return has;
}

/** What is declared at the top level, by name; `undefined` for what is declared more than once. */
function declarationsIn({ body }) {
  const declared = new Map();
  const add = (name, declaration) => declared.set(name, declared.has(name) ? undefined : declaration);
  for (const { type, kind, id, declarations = [], end } of body) {
    if (type === 'FunctionDeclaration' || type === 'ClassDeclaration') add(id.name, { kind: type, end });
    for (const one of declarations) if (one.id.type === 'Identifier') add(one.id.name, { kind, init: one.init, id: one.id, end });
  }
  return declared;
}

/** Names that are assigned anywhere but in their declaration, in whatever scope. */
function changedNames(names, declared) {
  const isOther = ({ name, use, start, depth }) =>
    use === 'write' || (use === 'var' && depth === 0 && start !== declared.get(name)?.id?.start);
  return new Set(names.filter(isOther).map(({ name }) => name));
}

/**
 * Functions always have one, and rolldown declares classes by `let` too; whatever else is declared by that is
 * meant to change.
 */
function hasValueAt(declaration, statement) {
  if (declaration === undefined) return false;
  const { kind, init, end } = declaration;
  if (kind === 'FunctionDeclaration') return true;
  const isGiven = kind === 'ClassDeclaration' || kind === 'const' || init?.type === 'ClassExpression' || (kind === 'var' && init !== null);
  return isGiven && end <= statement.start;
}
