/**
 * Makes a bundle of ours load what it imports when it is first used, instead of when it is loaded: a start
 * pays for each module that it does not need, on Node with a file to find and read, on the QuickJS host with
 * bytecode to read and functions to make.
 *
 * It works on what rolldown writes, not on any JavaScript: each import is one statement at the top level, and
 * is used by its name alone.
 *   const require_x = require("./shared-x.cjs");                      let node_x = require("node:x");
 *                                                                     node_x = require_rolldown_runtime.__toESM(node_x, 1);
 *   var import_x = require_rolldown_runtime.__toESM(require_x(), 1);          var import_x = require_x();
 * become a variable and a function that fills it, and each use is `(x ?? $x())`. The namespace objects that
 * `__toESM` makes, with a getter for each export, are left out: `x.default` is the module itself, other names
 * are its properties. The functions that `depd` makes for a module, with a stack trace each, are made when
 * they are first called, too. No line moves, so that source maps still say where one is. What a bundler's
 * rules would import otherwise (`__toESM(x())`) is made at once, as in `lazy-vary.cjs`, which exports nothing
 * else. An import without a name (`require("./x.cjs");`) is for its effects and stays where it is. Whatever
 * else is required while the chunk is loaded is an error, as rolldown then writes in a way that this pass
 * does not know.
 */
import { applyEdits, namesIn, parse, requiredBy, walk } from './syntax.mjs';

/**
 * What a bundle stands on: modules that cost nothing, and the entries beneath it, whose classes it extends.
 */
const eager = /^fulmar:|^\.\/lib-[\w-]+\.cjs$/;
const helpers = /rolldown-runtime\.cjs$/;
const RUNTIME = 'require_rolldown_runtime';

/** `code` as rolldown writes it, in CommonJS. */
export function requireLazily(code) {
  const program = parse(code);
  const imports = program.body.flatMap((statement) => importOf(statement) ?? []);
  const names = namesIn(program);
  const edits = [...imports.flatMap(declarationEdits), ...useEdits(names, imports)];
  refuseOthers(program, imports);
  const helper = imports.find(({ kind }) => kind === 'helpers');
  if (helper !== undefined && !isUsed(helper, names, edits)) edits.push([helper.statement.start, helper.statement.end, '']);
  return applyEdits(code, edits);
}

/**
 * What a statement of the top level imports: `lazy` (by `expression`; `isModule`: a module of Node's
 * conventions, whose `default` it is), `eager`, `helpers`, `effects`, or the `namespace` object that is made
 * of what was imported before.
 */
function importOf(statement) {
  if (statement.type === 'ExpressionStatement') return importOfExpression(statement);
  const [declarator] = statement.type === 'VariableDeclaration' && statement.declarations.length === 1 ? statement.declarations : [];
  const { id, init } = declarator ?? {};
  if (id?.type !== 'Identifier' || init === null) return undefined;
  const one = { statement, name: id.name, place: id.start };
  const required = requiredBy(init);
  if (required !== undefined) {
    if (helpers.test(required)) return { ...one, kind: 'helpers' };
    return eager.test(required) ? { ...one, kind: 'eager', expression: init } : { ...one, kind: 'lazy', expression: init };
  }
  if (statement.kind === 'var' && id.name.startsWith('import_')) {
    const wrapped = wrappedBy(init);
    if (wrapped !== undefined) return { ...one, kind: 'lazy', expression: wrapped, isModule: true };
    if (init.type === 'CallExpression' && init.arguments.length === 0) return { ...one, kind: 'lazy', expression: init };
  }
  return isDeprecation(id, init) ? { ...one, kind: 'lazy', expression: init } : undefined;
}

function importOfExpression(statement) {
  const { expression } = statement;
  if (requiredBy(expression) !== undefined) return { statement, kind: 'effects' };
  if (expression.type !== 'AssignmentExpression' || expression.left.type !== 'Identifier') return undefined;
  const { name, start } = expression.left;
  return wrappedBy(expression.right, false)?.name === name
    ? { statement, kind: 'namespace', name, place: start, isModule: true }
    : undefined;
}

/**
 * What `__toESM` makes a namespace object of, by the rules that hold for an import of a module: `default` is
 * all of it (`isNode`).
 */
function wrappedBy(node, isNode = true) {
  const { callee } = node.type === 'CallExpression' ? node : {};
  const isInterop = callee?.type === 'MemberExpression' && callee.object.name === RUNTIME && callee.property.name === '__toESM';
  return isInterop && (!isNode || node.arguments[1]?.value === 1) ? node.arguments[0] : undefined;
}

/** `const deprecateX = (0, import_depd.default)("x");` */
function isDeprecation({ name }, init) {
  const called = init.type === 'CallExpression' ? init.callee.expression?.expressions?.at(-1) : undefined;
  return name.startsWith('deprecate') && called?.object?.name === 'import_depd';
}

function declarationEdits({ kind, name, statement: { start, end }, expression }) {
  switch (kind) {
    case 'lazy':
      return [
        [start, expression.start, `let ${name}; const $${name} = () => (${name} = `],
        [expression.end, end, ');'],
      ];
    case 'eager':
      return [[start, expression.start, `const ${name} = `]];
    case 'namespace':
      return [[start, end, '']];
    default:
      return [];
  }
}

/** Each place where an import is used; one where it is assigned or declared once more is an error. */
function useEdits(names, imports) {
  const lazy = new Set(imports.filter(({ kind }) => kind === 'lazy').map(({ name }) => name));
  const modules = new Set(imports.filter(({ isModule }) => isModule).map(({ name }) => name));
  const namespaces = imports.filter(({ kind }) => kind === 'namespace').map(({ statement: { start, end } }) => [start, end]);
  const declared = new Set(imports.map(({ place }) => place));
  const edits = [];
  for (const { name, start, end, use, isShort, parent } of names) {
    if (!(lazy.has(name) || modules.has(name)) || declared.has(start) || isWithin(start, namespaces)) continue;
    if (use !== 'read') throw new Error(`require-lazily: ${name} is changed, or declared once more`);
    const isDefault = modules.has(name) && parent.type === 'MemberExpression' && !parent.computed && parent.property.name === 'default';
    const used = lazy.has(name) ? `(${name} ?? $${name}())` : name;
    edits.push([start, isDefault ? parent.end : end, isShort ? `${name}: ${used}` : used]);
  }
  return edits;
}

const isWithin = (place, ranges) => ranges.some(([start, end]) => place >= start && place < end);

const isUsed = ({ name, place }, names, edits) =>
  names.some((one) => one.name === name && one.start !== place && !isWithin(one.start, edits));

/** Whatever else loads a module together with the chunk, or makes a namespace object of one. */
function refuseOthers(program, imports) {
  const known = imports.map(({ statement: { start, end } }) => [start, end]);
  walk(program, (node, parent, depth) => {
    if (depth > 0 || node.type !== 'CallExpression' || isWithin(node.start, known)) return;
    const required = requiredBy(node);
    if (required !== undefined)
      throw new Error(`require-lazily: ${required} is loaded with the chunk, in a way that this pass does not know`);
    if (wrappedBy(node) !== undefined)
      throw new Error(`require-lazily: a namespace object is made with the chunk, in a way that this pass does not know`);
  });
}
