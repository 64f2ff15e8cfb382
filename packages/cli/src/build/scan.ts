/**
 * Looks through a module for what a bundler cannot know by itself, and rewrites it to calls of
 * `launch/built/modules.ts`.
 *
 * Requires with computed names, `require.resolve`, `require.main`, `import.meta`, places of files, threads;
 * and which requires may fail (in a `try`) or come late (in a function). Replacements never hold a line
 * break, so that lines stay where they are.
 */

import { posix } from 'node:path';
import { guestLiterals } from './guest-calls.ts';
import { staticPath } from './static-paths.ts';
import { globalInSource } from '../../../fulmar/src/host/globals.ts';

/** The part of an ESTree node that a walk needs. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface Scanned {
  readonly code: string;
  /** Specifiers whose absence the module handles. */
  readonly guarded: ReadonlySet<string>;
  /** Specifiers that are required when a function is called, or a `try` has failed. */
  readonly late: ReadonlySet<string>;
  /** Lines of requires and imports with a computed name. */
  readonly computed: readonly { readonly line: number; readonly text: string }[];
  /** Specifiers that are required, and those that are imported by calls, each by its literal name. */
  readonly requires: ReadonlySet<string>;
  readonly imports: ReadonlySet<string>;
  /** Paths that the module makes of its folder, relative to that. */
  readonly paths: readonly string[];
  /** The literal values of properties that are called `target`. */
  readonly targets: readonly string[];
  /** Specifiers of `require.resolve`. */
  readonly resolved: readonly string[];
  /** Specifiers of `import.meta.resolve`. */
  readonly metaResolved: readonly string[];
  /** Folders that `createRoutes` is given. */
  readonly routes: readonly RoutesFolder[];
  /** Files of other languages that calls name, relative to the module. */
  readonly guestFiles: readonly string[];
  /** Lines of such calls whose file is computed. */
  readonly computedGuests: readonly number[];
  /** Files that threads and processes are started with, relative to the module. */
  readonly entries: readonly string[];
  /** Lines of threads and processes whose file is not known. */
  readonly unknownEntries: readonly number[];
}

/** What `createRoutes({ dir })` reads, with the line of the call. */
export interface RoutesFolder {
  readonly line: number;
  /** As it is written, from the working directory. */
  readonly text?: string;
  /** Relative to the module. */
  readonly path?: string;
}

export interface ScanInput {
  readonly code: string;
  readonly place: string;
  readonly isEntry: boolean;
  /** Is its format CommonJS, and not ES module? Asked after it was parsed. */
  readonly isCommonJs: () => boolean;
  /** Is it a CommonJS module that is not strict? Asked after it was parsed. */
  readonly isSloppy: () => boolean;
  readonly parse: (code: string) => unknown;
}

const interesting =
  /\brequire\b|\bimport\s*(?:\.\s*meta|\()|\b__(?:dirname|filename)\b|\bmodule\.(?:parent|filename|id|paths|path|children)\b|\bnew\s+[\w.]*Worker\b|\btarget\s*:|\bfork\s*\(|\bcreateRoutes\b|\.import(?:Later)?\s*\(/;

/** What the code of a module finds the runtime's functions by. */
export const API = `${globalInSource('fulmar.bundle')}.api`;

/** What `import()` of a sloppy module becomes: see `sloppy.ts`. */
export const SLOPPY_IMPORT = '$fulmarImport';

const nothing = {
  guarded: new Set<string>(),
  late: new Set<string>(),
  computed: [],
  requires: new Set<string>(),
  imports: new Set<string>(),
  paths: [],
  targets: [],
  resolved: [],
  metaResolved: [],
  routes: [],
  guestFiles: [],
  computedGuests: [],
  entries: [],
  unknownEntries: [],
} satisfies Omit<Scanned, 'code'>;

export function scan(input: ScanInput): Scanned {
  if (!interesting.test(input.code)) return { ...nothing, code: input.code };
  const walk = new Walk(input);
  walk.visit(input.parse(input.code) as Node, { guarded: false, late: false, shadowed: false });
  return walk.result();
}

interface Context {
  readonly guarded: boolean;
  readonly late: boolean;
  /** `require` is a local name here. */
  readonly shadowed: boolean;
}

/** What a `catch` asks for may never be asked for, as what a function does. */
const behindTry = (key: string, context: Context): Context => (key === 'handler' ? { ...context, late: true } : context);

class Walk {
  readonly #input: ScanInput;
  readonly #name: string;
  /** Names that `require` goes by: its own, and what an ES module made with `createRequire`. */
  readonly #requires = new Set(['require']);
  readonly #edits: { start: number; end: number; text: string }[] = [];
  readonly #guarded = new Set<string>();
  readonly #late = new Set<string>();
  readonly #early = new Set<string>();
  readonly #computed: { line: number; text: string }[] = [];
  readonly #required = new Set<string>();
  readonly #imported = new Set<string>();
  readonly #paths: string[] = [];
  readonly #targets: string[] = [];
  readonly #resolved: string[] = [];
  readonly #metaResolved: string[] = [];
  readonly #routes: RoutesFolder[] = [];
  readonly #guestFiles: string[] = [];
  readonly #computedGuests: number[] = [];
  readonly #entries: string[] = [];
  readonly #unknownEntries: number[] = [];

  constructor(input: ScanInput) {
    this.#input = input;
    this.#name = JSON.stringify(input.place);
  }

  visit(node: Node, context: Context): void {
    this.#path(node);
    if (node.type === 'Property' && isName(node['key'], 'target')) this.#targets.push(literal(node['value'] as Node) ?? '');
    const inner = this.#look(node, context);
    if (inner === undefined) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'type' || key === 'start' || key === 'end') continue;
      const below = node.type === 'TryStatement' && key !== 'block' ? behindTry(key, context) : inner;
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (isNode(child)) this.visit(child, below);
      }
    }
  }

  /**
   * Notes what `node` is. Returns the context for what it holds; `undefined` when that has been looked at.
   */
  #look(node: Node, context: Context): Context | undefined {
    switch (node.type) {
      case 'TryStatement':
        return { ...context, guarded: true };
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return {
          ...context,
          late: context.late || !isCalledAtOnce(node, this.#input.code),
          shadowed: context.shadowed || /\brequire\b/.test(this.#parameters(node)),
        };
      case 'CallExpression':
        return this.#call(node, context);
      case 'NewExpression':
        this.#thread(node, /Worker$/);
        return context;
      case 'ImportExpression':
        return this.#importCall(node, context);
      case 'MetaProperty':
        if (this.#text(node).startsWith('import')) this.#edit(node, `${API}.metaOf(${this.#name},${this.#input.isEntry})`);
        return undefined;
      case 'VariableDeclarator':
        return this.#declarator(node) ? undefined : context;
      case 'MemberExpression':
        return this.#member(node, context) ? undefined : context;
      default:
        return context;
    }
  }

  #call(node: Node, context: Context): Context {
    const callee = node['callee'] as Node;
    const [first] = node['arguments'] as Node[];
    if (this.#isRequire(callee) && !context.shadowed) {
      const name = literal(first);
      if (name === undefined) {
        this.#note(node);
        this.#edit(callee, `${API}.requireOf(${this.#name})`);
      } else {
        this.#sort(name, context);
        this.#required.add(name);
        if (!isName(callee, 'require')) this.#edit(callee, 'require');
      }
    } else if (isName(callee, 'fork') || (callee.type === 'MemberExpression' && isName(callee['property'], 'fork'))) {
      const owner = callee['object'];
      if ((node['arguments'] as Node[]).length > 0 && !isName(owner, 'cluster')) this.#thread(node, /fork$/);
    } else if (callee.type === 'MemberExpression' && /^import(?:Later)?$/.test(this.#text(callee['property'] as Node))) {
      this.#guestImport(node, callee['object']);
    } else if (calledName(callee) === 'createRoutes') {
      this.#routes.push({ line: this.#line(node), ...routesFolderOf(first) });
    } else if (callee.type === 'MemberExpression' && this.#isRequire(callee['object']) && isName(callee['property'], 'resolve')) {
      const name = literal(first);
      if (name !== undefined) this.#resolved.push(name);
    } else if (callee.type === 'MemberExpression' && isMeta(callee['object']) && isName(callee['property'], 'resolve')) {
      const name = literal(first);
      if (name !== undefined) this.#metaResolved.push(name);
    }
    return context;
  }

  /** `python.import('./model.py')`: the file is embedded, and found where it then is. */
  #guestImport(node: Node, importer: unknown): void {
    const args = node['arguments'] as Node[];
    const isNamed = isName(importer, 'Polyglot');
    // Of `Polyglot` the first one may be a language.
    const isComputed = args.slice(0, isNamed ? 2 : 1).some((one) => literal(one) === undefined && one.type !== 'ObjectExpression');
    if (isComputed && this.#input.code.includes('fulmar/polyglot')) this.#computedGuests.push(this.#line(node));
    for (const { node, path } of guestLiterals(args, { literal, isPython: isName(importer, 'python') })) {
      this.#guestFiles.push(path);
      // As `placeOf` has what is above the application's folder.
      const place = posix.join(posix.dirname(this.#input.place.replaceAll('\\', '/')), path).replaceAll('../', '_outside/');
      this.#edit(node, `${API}.place(${JSON.stringify(place)})`);
    }
  }

  #importCall(node: Node, context: Context): Context {
    const source = node['source'] as Node;
    const name = literal(source);
    const word = { ...node, end: node.start + 'import'.length };
    if (name === undefined) {
      this.#note(node);
      this.#edit(word, `${API}.importOf(${this.#name})`);
    } else {
      this.#sort(name, { ...context, late: true });
      this.#imported.add(name);
      if (this.#input.isSloppy()) this.#edit(word, SLOPPY_IMPORT);
    }
    return context;
  }

  /**
   * `const require = createRequire(import.meta.url)` in an ES module: what it requires can be bundled as in
   * CommonJS.
   */
  #declarator(node: Node): boolean {
    const { id, init } = node;
    if (!isNode(id) || id.type !== 'Identifier' || !isNode(init) || init.type !== 'CallExpression') return false;
    if (!/^(?:\w+\.)?createRequire\(\s*import\.meta\.(?:url|filename)\s*\)$/.test(this.#text(init))) return false;
    if (isName(id, 'require')) this.#edit(id, '$fulmarRequire');
    else this.#requires.add(String(id['name']));
    this.#edit(init, `${API}.requireOf(${this.#name})`);
    return true;
  }

  #isRequire(node: unknown): boolean {
    return isNode(node) && node.type === 'Identifier' && this.#requires.has(String(node['name']));
  }

  #member(node: Node, context: Context): boolean {
    if (!this.#isRequire(node['object']) || context.shadowed || node['computed'] === true) return false;
    if (isName(node['property'], 'main')) this.#edit(node, `${API}.main`);
    else if (isName(node['property'], 'resolve')) this.#edit(node, `${API}.resolveOf(${this.#name})`);
    else if (isName(node['property'], 'cache') || isName(node['property'], 'extensions')) {
      this.#edit(node['object'], `${API}.requireOf(${this.#name})`);
    } else return false;
    return true;
  }

  /** The file of `new Worker(…)` or `fork(…)`: the one path that its first argument holds. */
  #thread(node: Node, pattern: RegExp): void {
    const callee = this.#text(node['callee'] as Node);
    const [first] = node['arguments'] as Node[];
    if (!pattern.test(callee) || first === undefined || this.#input.place.includes('node_modules/')) return;
    const text = this.#text(first);
    const paths = [...text.matchAll(/(['"`])((?:\.{0,2}\/)?[\w./-]+\.[cm]?[jt]s)\1/g)].map((match) => match[2] ?? '');
    const isHere = /import\.meta\.(?:url|dirname)|__dirname/.test(text) || literal(first) !== undefined;
    if (/\beval:\s*true/.test(this.#text(node))) return;
    if (paths.length === 1 && isHere) this.#entries.push(paths[0] ?? '');
    else if (!/\b(?:__filename|import\.meta\.(?:filename|url))\b/.test(text)) this.#unknownEntries.push(this.#line(node));
    else this.#entries.push('');
  }

  /** The folder itself only where it is given away: it is part of most other paths. */
  #path(node: Node): void {
    const given = node.type === 'ReturnStatement' ? node['argument'] : isExport(node) ? node['right'] : undefined;
    const path = given === undefined ? (node.type === 'Identifier' ? undefined : staticPath(node)) : staticPath(given);
    if (path === undefined || (path === '.' && given === undefined)) return;
    this.#paths.push(path);
  }

  #sort(name: string, { guarded, late }: Context): void {
    if (guarded) this.#guarded.add(name);
    else if (late) this.#late.add(name);
    else this.#early.add(name);
  }

  #note(node: Node): void {
    this.#computed.push({ line: this.#line(node), text: this.#text(node).split('\n')[0] ?? '' });
  }

  #line(node: Node): number {
    return this.#input.code.slice(0, node.start).split('\n').length;
  }

  #parameters(node: Node): string {
    return (node['params'] as Node[]).map((parameter) => this.#text(parameter)).join(',');
  }

  #text(node: Node): string {
    return this.#input.code.slice(node.start, node.end);
  }

  #edit(node: unknown, text: string): void {
    if (isNode(node)) this.#edits.push({ start: node.start, end: node.end, text });
  }

  result(): Scanned {
    const { code, isCommonJs } = this.#input;
    let edited = code;
    for (const { start, end, text } of this.#edits.sort((a, b) => b.start - a.start)) {
      const breaks = code.slice(start, end).replaceAll(/[^\n]/g, '');
      edited = edited.slice(0, start) + text + breaks + edited.slice(end);
    }
    const late = new Set([...this.#late].filter((name) => !this.#early.has(name)));
    const guarded = new Set([...this.#guarded].filter((name) => !this.#early.has(name)));
    return {
      code: isCommonJs() ? this.#withPlaces(edited) : edited,
      guarded,
      late,
      computed: this.#computed,
      requires: this.#required,
      imports: this.#imported,
      paths: this.#paths,
      targets: this.#targets.filter((name) => name !== ''),
      resolved: this.#resolved,
      metaResolved: this.#metaResolved,
      routes: this.#routes,
      guestFiles: this.#guestFiles,
      computedGuests: this.#computedGuests,
      entries: this.#entries,
      unknownEntries: this.#unknownEntries,
    };
  }

  /**
   * Puts `__filename`, `__dirname` and the properties of `module` behind the directives of a CommonJS module.
   */
  #withPlaces(code: string): string {
    const parts: string[] = [];
    if (/\b__filename\b/.test(code)) parts.push(`var __filename=${API}.place(${this.#name});`);
    if (/\b__dirname\b/.test(code)) parts.push(`var __dirname=${API}.folderOf(${this.#name});`);
    if (this.#input.isEntry || /\bmodule\.(?:parent|filename|id|paths|path|children)\b/.test(code)) {
      parts.push(`${API}.describe(module,${this.#name},${this.#input.isEntry});`);
    }
    if (parts.length === 0) return code;
    const head = headOf(code);
    const hasDirective = isStrict(head);
    const at = hasDirective ? head.length : (/^#![^\n]*\n/.exec(code)?.[0].length ?? 0);
    return `${code.slice(0, at)}${hasDirective ? ';' : ''}${parts.join('')}${code.slice(at)}`;
  }
}

/** What stands before a module's first statement, with the directive that makes it strict. */
export function headOf(code: string): string {
  return /^(?:#![^\n]*\n)?(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:(['"])use strict\1\s*;?)?/.exec(code)?.[0] ?? '';
}

export function isStrict(head: string): boolean {
  return /use strict['"]\s*;?$/.test(head);
}

/** `f(…)`, `a.f(…)`, and what compilers make of an import's call, `(0, a.f)(…)`. */
function calledName(callee: unknown): unknown {
  if (!isNode(callee)) return undefined;
  if (callee.type === 'SequenceExpression') return calledName((callee['expressions'] as unknown[]).at(-1));
  return callee.type === 'MemberExpression' ? calledName(callee['property']) : callee['name'];
}

/** Neither: it is computed. */
function routesFolderOf(options: unknown): Pick<RoutesFolder, 'text' | 'path'> {
  if (options === undefined) return { text: 'routes' };
  if (!isNode(options) || options.type !== 'ObjectExpression') return {};
  const properties = options['properties'] as Node[];
  const dir = properties.find(({ key }) => isName(key, 'dir'))?.['value'] as Node | undefined;
  if (dir === undefined) return properties.every(({ type }) => type === 'Property') ? { text: 'routes' } : {};
  const text = literal(dir);
  if (text !== undefined) return { text };
  const path = staticPath(dir);
  return path === undefined ? {} : { path };
}

function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && typeof (value as { type?: unknown }).type === 'string';
}

/** `module.exports = …` */
function isExport(node: Node): boolean {
  const { left } = node as { left?: unknown };
  return node.type === 'AssignmentExpression' && isNode(left) && left.type === 'MemberExpression' && isName(left['property'], 'exports');
}

function isName(node: unknown, name: string): boolean {
  return isNode(node) && node.type === 'Identifier' && node['name'] === name;
}

/** `import.meta`, and not `new.target` */
function isMeta(node: unknown): boolean {
  return isNode(node) && node.type === 'MetaProperty' && isName(node['property'], 'meta');
}

/** The text of a string, or of a template without substitutions. */
function literal(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node?.type !== 'TemplateLiteral' || (node['expressions'] as Node[]).length > 0) return undefined;
  const [quasi] = node['quasis'] as { value: { cooked: string } }[];
  return quasi?.value.cooked;
}

/** `(function () { … })()`, as older compilers and loaders wrap modules. */
function isCalledAtOnce(node: Node, code: string): boolean {
  return /^\s*\)?\s*(?:\(|\.call\()/.test(code.slice(node.end, node.end + 16));
}
