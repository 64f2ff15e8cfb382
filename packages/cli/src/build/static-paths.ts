/**
 * Paths that a module makes of its own folder and of literal names: `join(__dirname, '../data')`,
 * `new URL('./a.txt', import.meta.url)`, `__dirname + '/x'`. What a module does with them, it cannot do in a
 * built file without them.
 *
 * Looks at one node at a time; touches no file.
 */
import { posix } from 'node:path';

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * The path relative to the module's folder that `node` makes, `.` for the folder; `undefined` when it makes
 * none, or not of literals alone.
 */
export function staticPath(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  switch (node.type) {
    case 'Identifier':
      return node['name'] === '__dirname' ? '.' : undefined;
    case 'MemberExpression':
      return isMeta(node, 'dirname') ? '.' : undefined;
    case 'CallExpression':
      return ofCall(node);
    case 'NewExpression':
      return nameOf(node['callee']) === 'URL' ? ofUrl(node['arguments'] as unknown[]) : undefined;
    case 'BinaryExpression':
      return node['operator'] === '+' ? joined(staticPath(node['left']), [literal(node['right'])]) : undefined;
    case 'TemplateLiteral':
      return ofTemplate(node);
    default:
      return undefined;
  }
}

function ofCall(node: Node): string | undefined {
  const [first, ...rest] = node['arguments'] as unknown[];
  const name = nameOf(node['callee']);
  if (name === 'join' || name === 'resolve') return joined(staticPath(first), rest.map(literal));
  if (name === 'fileURLToPath') return staticPath(first);
  const isOwnFile = nameOf(first) === '__filename' || (isNode(first) && (isMeta(first, 'filename') || isFileOfUrl(first)));
  return name === 'dirname' && isOwnFile ? '.' : undefined;
}

function isFileOfUrl(node: Node): boolean {
  if (node.type !== 'CallExpression' || nameOf(node['callee']) !== 'fileURLToPath') return false;
  const [first] = node['arguments'] as unknown[];
  return isNode(first) && isMeta(first, 'url');
}

function ofUrl([first, base]: readonly unknown[]): string | undefined {
  const name = literal(first);
  return name !== undefined && /^\.{0,2}\//.test(`./${name}`) && !/^[a-z]+:/i.test(name) && isNode(base) && isMeta(base, 'url')
    ? joined('.', [decodeURIComponent(name)])
    : undefined;
}

function ofTemplate(node: Node): string | undefined {
  const expressions = node['expressions'] as unknown[];
  const [before, after] = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  return expressions.length === 1 && before === '' ? joined(staticPath(expressions[0]), [after]) : undefined;
}

function joined(base: string | undefined, parts: readonly (string | undefined)[]): string | undefined {
  if (base === undefined || parts.includes(undefined)) return undefined;
  return posix.join(base, ...(parts as string[]));
}

/**
 * Of what is only named otherwise when somebody says so, the name it has when nobody does:
 * `process.env.DATA || '../data'`.
 */
function literal(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'LogicalExpression') return literal(node['right']);
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral' || (node['expressions'] as unknown[]).length > 0) return undefined;
  return (node['quasis'] as { value: { cooked: string } }[])[0]?.value.cooked;
}

/** The name of a function or variable, or of the property of one. */
function nameOf(node: unknown): unknown {
  if (!isNode(node)) return undefined;
  // `(0, path_1.join)(…)`: how compilers write the call of an import.
  if (node.type === 'SequenceExpression') return nameOf((node['expressions'] as unknown[]).at(-1));
  return node.type === 'MemberExpression' && node['computed'] !== true ? nameOf(node['property']) : node['name'];
}

function isMeta(node: Node, property: string): boolean {
  const { object } = node as { object?: unknown };
  return node.type === 'MemberExpression' && nameOf(node['property']) === property && isNode(object) && object.type === 'MetaProperty';
}

function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && typeof (value as { type?: unknown }).type === 'string';
}
