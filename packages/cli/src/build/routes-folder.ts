/**
 * Folders that sources give to `createRoutes` of `fulmar/routes`: a module without a file for each, which leaves the table of
 * its routes and what loads them where `createRoutes` looks before it reads a folder (`routes/loading/built-source.ts`).
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { globalInSource } from '../../../fulmar/src/host/globals.ts';
import { CommandError } from '../errors.ts';
import type { FoundFiles } from './found-files.ts';
import type { Findings } from './problems.ts';
import { placeOf, type Project, shown } from './project.ts';
import type { BundleSource } from './sources.ts';
import { headOf } from './scan.ts';

export interface RoutesInput {
  readonly project: Project;
  readonly findings: Findings;
  readonly found: FoundFiles;
  readonly virtual: Map<string, string>;
  /** Is a file CommonJS? */
  readonly isScript: (file: string) => boolean;
}

const NAME = '\0fulmar:routes:';

/** The source with imports of its folders' modules. Rejects with a `CommandError` for a folder that is not there, or wrong. */
export async function withRoutes(file: string, source: BundleSource, input: RoutesInput): Promise<BundleSource> {
  if (source.routes.length === 0 || !input.findings.isOwn(file) || !/\bfulmar\/routes\b/.test(readFileSync(file, 'utf8'))) return source;
  const names: string[] = [];
  for (const { line, text, path } of source.routes) {
    const place = `${shown(file)}:${line}`;
    if (text === undefined && path === undefined) {
      input.findings.note(
        `${place}: createRoutes() has a computed folder, which is not embedded: write it as text, or as new URL('routes', import.meta.url)`,
      );
      continue;
    }
    const dir = text === undefined ? resolve(dirname(file), path as string) : resolve(text);
    const name = `${NAME}${dir}`;
    input.virtual.set(name, await moduleOf(dir, { ...input, place, key: text }));
    names.push(name);
  }
  return names.length === 0 ? source : withImports(source, names);
}

/** On the first line, so that lines stay where they are. */
function withImports(source: BundleSource, names: readonly string[]): BundleSource {
  if (!source.isCommonJs) {
    return { ...source, code: `${names.map((name) => `import ${JSON.stringify(name)};`).join('')}${source.code.replace(/^#!/, '//')}` };
  }
  const head = headOf(source.code);
  const calls = names.map((name) => `require(${JSON.stringify(name)});`).join('');
  return {
    ...source,
    code: `${head}${/['"]$/.test(head) ? ';' : ''}${calls}${source.code.slice(head.length)}`,
    requires: new Set([...source.requires, ...names]),
  };
}

async function moduleOf(
  dir: string,
  { project, found, isScript, place, key }: RoutesInput & { readonly place: string; readonly key: string | undefined },
): Promise<string> {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CommandError('FULMAR_CLI_BUILD_INCLUDE', `${place}: createRoutes() names ${shown(dir)}, and there is no such folder`);
  const { folderSource } = await import('../../../fulmar/src/routes/project/index.ts');
  const { files, index, pathOf } = scanned(() => folderSource(dir), place);
  const loaders = files.map((route) => {
    const path = pathOf(route);
    if (route.kind !== 'page') return `() => ${isScript(path) ? 'require' : 'import'}(${JSON.stringify(path)})`;
    found.embed(path);
    return 'null';
  });
  const scripts = files.flatMap((route, at) => (route.kind !== 'page' && isScript(pathOf(route)) ? [at] : []));
  const where = placeOf(dir, project);
  const table = JSON.stringify({ dir: where, files, index, scripts });
  const scope = globalInSource('fulmar.bundle');
  return `const scope = ${scope}, built = { root: scope.root, table: ${JSON.stringify(table)}, loaders: [${loaders.join(', ')}] };
scope.routes ??= new Map();
for (const key of ${JSON.stringify(key === undefined ? [] : [key])}) scope.routes.set(key, built);
scope.routes.set(scope.api.place(${JSON.stringify(where)}), built);
`;
}

function scanned<T>(scan: () => T, place: string): T {
  try {
    return scan();
  } catch (cause) {
    throw new CommandError('FULMAR_CLI_BUILD_INCLUDE', `${place}: ${(cause as Error).message}`, { cause });
  }
}
