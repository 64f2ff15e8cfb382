/**
 * What the path of a file below the folder of routes says: which requests it answers, or what it is to the files beside
 * it. First step of `scan.ts`; looks at names alone and reads nothing.
 */
import { RouteFileError } from './route-file-error.ts';

export type FileKind = 'route' | 'page' | 'middleware' | 'notFound' | 'error';

/** One segment of a path: text, a parameter with text around it, or the rest. */
export type PathPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mixed'; readonly texts: readonly string[]; readonly names: readonly string[] }
  | { readonly kind: 'parameter'; readonly name: string; readonly isOptional: boolean }
  | { readonly kind: 'rest'; readonly name: string };

export interface FileRoute {
  /** Below the folder, with slashes: `users/[id].ts`. */
  readonly file: string;
  readonly kind: FileKind;
  /** Of a special file (`_middleware.ts`) those of its folder. */
  readonly parts: readonly PathPart[];
  /** Upper case: `users.get.ts`; null: its exports say. */
  readonly method: string | null;
  /** Folders from without to within, groups included: whose special files hold for it. */
  readonly folders: readonly string[];
}

const MODULE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Served as they are. */
const PAGE = /\.(?:html|md|json)$/;
const DECLARATION = /\.d\.[cm]?ts$/;
const TEST = /\.(?:test|spec)\.(?:[cm]?[jt]s|[jt]sx)$/;
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'options', 'head', 'all']);
const SPECIAL: ReadonlyMap<string, FileKind> = new Map([
  ['_middleware', 'middleware'],
  ['_404', 'notFound'],
  ['_error', 'error'],
]);
const NAME = /^[A-Za-z_$][\w$]*$/;

/** `null`: nothing of the routes': declarations, tests, hidden files, and what begins with `_`. @throws RouteFileError */
export function fileRouteOf(file: string): FileRoute | null {
  const isModule = MODULE.test(file) && !DECLARATION.test(file) && !TEST.test(file);
  if (!isModule && !PAGE.test(file)) return null;
  const folders = file.split('/');
  const last = folders.pop() as string;
  if (folders.some((folder) => folder.startsWith('.') || folder.startsWith('_')) || last.startsWith('.')) return null;
  const own = folders.flatMap((folder) => (isGroup(folder) ? [] : [partOf(folder, file)]));
  const around = folders.map((_, at) => folders.slice(0, at + 1).join('/'));
  const name = last.replace(isModule ? MODULE : /\.html$/, '');
  const special = isModule ? SPECIAL.get(name) : undefined;
  if (special !== undefined) return checked({ file, kind: special, parts: own, method: null, folders: around });
  if (name.startsWith('_')) return null;
  const kind = isModule ? 'route' : 'page';
  const { base, method } = isModule ? withoutMethod(name) : { base: name, method: 'GET' };
  const parts = base === 'index' || base === '' ? own : [...own, partOf(base, file)];
  return checked({ file, kind, parts, method, folders: around });
}

/** `(admin)`: a folder that is in no path. */
const isGroup = (folder: string): boolean => /^\([^()]+\)$/.test(folder);

function withoutMethod(name: string): { base: string; method: string | null } {
  const dot = name.lastIndexOf('.');
  const suffix = name.slice(dot + 1).toLowerCase();
  // `get.ts` is the path /get.
  if (dot === -1 || !METHODS.has(suffix)) return { base: name, method: null };
  return { base: name.slice(0, dot), method: suffix === 'all' ? '*' : suffix.toUpperCase() };
}

function partOf(segment: string, file: string): PathPart {
  const fail = (problem: string): never => {
    throw new RouteFileError(`${problem} in the name ${JSON.stringify(segment)}`, [file]);
  };
  if (/^\$[A-Za-z_]/.test(segment)) return { kind: 'parameter', name: checkName(segment.slice(1), fail), isOptional: false };
  const optional = /^\[\[([^[\]]*)\]\]$/.exec(segment);
  if (optional !== null) {
    const inner = optional[1] as string;
    if (inner.startsWith('...')) return fail('expected [...name] for the rest of a path, which may not be left out, found [[...name]]');
    return { kind: 'parameter', name: checkName(inner, fail), isOptional: true };
  }
  const rest = /^\[\.\.\.([^[\]]*)\]$/.exec(segment);
  if (rest !== null) return { kind: 'rest', name: checkName(rest[1] as string, fail) };
  return segment.includes('[') || segment.includes(']') ? mixedOf(segment, fail) : { kind: 'text', text: segment };
}

/** `[id]`, `post-[id]`, `[name].json`. */
function mixedOf(segment: string, fail: (problem: string) => never): PathPart {
  const texts: string[] = [];
  const names: string[] = [];
  let text = '';
  for (let at = 0; at < segment.length; at += 1) {
    const character = segment.charAt(at);
    if (character === ']') fail("expected '[' before ']'");
    if (character !== '[') {
      text += character;
      continue;
    }
    const end = segment.indexOf(']', at);
    if (end === -1) fail("expected ']' behind '['");
    if (names.length > 0 && text === '') fail('expected text between two parameters');
    names.push(checkName(segment.slice(at + 1, end), fail));
    texts.push(text);
    text = '';
    at = end;
  }
  const [name] = names;
  if (names.length === 1 && texts[0] === '' && text === '') return { kind: 'parameter', name: name as string, isOptional: false };
  return { kind: 'mixed', texts: [...texts, text], names };
}

function checkName(name: string, fail: (problem: string) => never): string {
  if (!NAME.test(name)) fail(`expected the name of a parameter (letters, digits, _ and $, no digit first), found ${JSON.stringify(name)}`);
  return name;
}

/** @throws RouteFileError for a path that no request could have */
function checked(route: FileRoute): FileRoute {
  const { parts, file } = route;
  const names = parts.flatMap((part) => (part.kind === 'text' ? [] : part.kind === 'mixed' ? part.names : [part.name]));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new RouteFileError(`the parameter ${twice} stands twice in one path`, [file]);
  const rest = parts.findIndex(({ kind }) => kind === 'rest');
  if (rest !== -1 && rest < parts.length - 1)
    throw new RouteFileError('[...name] takes the rest of a path: nothing can stand behind it', [file]);
  const optional = parts.findIndex((part) => part.kind === 'parameter' && part.isOptional);
  if (optional !== -1 && optional < parts.length - 1)
    throw new RouteFileError('[[name]] may be left out, so that nothing can stand behind it', [file]);
  return route;
}
