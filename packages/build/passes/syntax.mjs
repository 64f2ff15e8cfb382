/**
 * Sources and chunks as passes over their text read them: the syntax tree, where variables are named, and
 * edits that are made together. A pass that goes by the tree takes no text of a string or a comment for code.
 */
import { parseSync } from 'rolldown/utils';

/** The program in `code`, with offsets into that text; of the kind that `file` is. */
export function parse(code, file = 'chunk.cjs') {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  return program;
}

/** Keys under which an identifier is no variable's name, unless it is computed. */
const labels = {
  MemberExpression: 'property',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
  LabeledStatement: 'label',
  BreakStatement: 'label',
  ContinueStatement: 'label',
};

const isFunction = ({ type }) => /Function/.test(type);

/**
 * Calls `visit(node, parent, depth)` for each node but names that are no variable's. `depth`: of functions
 * around it.
 */
export function walk(node, visit, parent, depth = 0) {
  visit(node, parent, depth);
  const within = isFunction(node) ? depth + 1 : depth;
  for (const key in node) {
    const child = node[key];
    if (child === null || typeof child !== 'object' || (labels[node.type] === key && !node.computed)) continue;
    // A function's name is known where it is declared.
    const inside = key === 'id' ? depth : within;
    if (Array.isArray(child)) for (const one of child) if (one !== null) walk(one, visit, node, inside);
    if (typeof child.type === 'string') walk(child, visit, node, inside);
  }
}

/** The identifiers that a pattern binds or assigns to. */
function targetsOf(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => targetsOf(property.value ?? property));
    case 'ArrayPattern':
      return pattern.elements.flatMap(targetsOf);
    case 'AssignmentPattern':
      return targetsOf(pattern.left);
    case 'RestElement':
      return targetsOf(pattern.argument);
    case 'ParenthesizedExpression':
      return targetsOf(pattern.expression);
    default:
      return [];
  }
}

/** What a node does with names: pairs of a use and the pattern they stand in. */
function usesBy(node) {
  if (node.type === 'VariableDeclaration') return node.declarations.map(({ id }) => [node.kind, id]);
  if (node.type === 'AssignmentExpression') return [['write', node.left]];
  if (node.type === 'UpdateExpression') return [['write', node.argument]];
  if (node.type === 'ForInStatement' || node.type === 'ForOfStatement') return [['write', node.left]];
  if (node.type === 'CatchClause') return [['param', node.param]];
  if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') return [['class', node.id]];
  if (isFunction(node)) return [['function', node.id], ...node.params.map((param) => ['param', param])];
  return [];
}

/**
 * Each place where a variable is named: `use` is `read`, `write`, or what declares it there (`const`, `let`,
 * `var`, `function`, `class`, `param`); `isShort` where a property's name is the variable's.
 */
export function namesIn(program) {
  const uses = new Map();
  const names = [];
  walk(program, (node, parent, depth) => {
    for (const [use, pattern] of usesBy(node)) for (const target of targetsOf(pattern)) uses.set(target, use);
    if (node.type !== 'Identifier') return;
    const { name, start, end } = node;
    const isShort = parent?.type === 'Property' && parent.shorthand;
    names.push({ name, start, end, use: uses.get(node) ?? 'read', isShort, parent, depth });
  });
  return names;
}

/** What a call requires by a literal name; undefined for all else. */
export function requiredBy(node) {
  const isCall = node?.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'require';
  return isCall && node.arguments.length === 1 && typeof node.arguments[0].value === 'string' ? node.arguments[0].value : undefined;
}

/** `code` with each `[start, end, text]` put in place of what stands there; none lies within another. */
export function applyEdits(code, edits) {
  let text = '';
  let at = 0;
  for (const [start, end, replacement] of [...edits].sort(([a], [b]) => a - b)) {
    if (start < at) throw new Error(`two edits of ${JSON.stringify(code.slice(start, end))}`);
    text += code.slice(at, start) + replacement;
    at = end;
  }
  return text + code.slice(at);
}
