/**
 * The files and modules that an application names while it runs: what `--include` and `--require` mean on
 * disk.
 */
import { existsSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { CommandError } from '../errors.ts';
import { findSource } from '../../../fulmar/src/launch/compile/resolve.ts';
import { declaredFor } from '../../../fulmar/src/launch/nest/manifests.ts';
import { placeOf, type Project } from './project.ts';

export interface Asset {
  readonly place: string;
  readonly file: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** More is a mistake in the option, such as the whole of a home folder. */
const FILES_MAX = 20_000;
const BYTES_MAX = 512 * 1_024 * 1_024;

const sources: ReadonlySet<string> = new Set(['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.tsx', '.jsx', '.json']);

export function findAssets(names: readonly string[], project: Project): Asset[] {
  const assets = new Map<string, Asset>();
  let bytes = 0;
  for (const name of names) {
    const path = toReal(name);
    if (!existsSync(path)) throw new CommandError('FULMAR_CLI_BUILD_INCLUDE', `--include ${name}: there is no such file or folder`);
    for (const file of filesOf(path)) {
      const asset = toAsset(file, project);
      const { place } = asset;
      bytes += asset.bytes;
      if (place.startsWith('_outside/')) {
        throw new CommandError(
          'FULMAR_CLI_BUILD_INCLUDE',
          `--include ${name}: it lies outside of the application's folder, ${project.root}`,
        );
      }
      assets.set(place, asset);
      if (assets.size > FILES_MAX || bytes > BYTES_MAX) {
        throw new CommandError(
          'FULMAR_CLI_BUILD_INCLUDE',
          `--include ${name}: more than ${FILES_MAX} files or ${BYTES_MAX / 1_024 / 1_024} MB`,
        );
      }
    }
  }
  return [...assets.values()].sort((a, b) => (a.place < b.place ? -1 : 1));
}

export function toAsset(file: string, project: Project): Asset {
  const { size: bytes, mtimeMs } = statSync(file);
  return { place: placeOf(file, project), file, bytes, mtimeMs };
}

/** Is it code, or data that may be required? */
export function isSourceFile(file: string): boolean {
  return sources.has(extname(file));
}

/**
 * Modules and the application's folder are known by their real paths. What is in `node_modules` may be in
 * that of a folder above.
 */
function toReal(name: string): string {
  const path = resolve(name);
  if (existsSync(path)) return realpathSync(path);
  const below = /^(?:\.[\\/])?(node_modules[\\/].+)$/.exec(name)?.[1];
  for (let folder = dirname(resolve()); below !== undefined; folder = dirname(folder)) {
    if (existsSync(join(folder, below))) return realpathSync(join(folder, below));
    if (dirname(folder) === folder) break;
  }
  return path;
}

/**
 * The files of a folder and those below it, without what package managers and Git keep there; of a file
 * itself. A link to a folder around it is not followed.
 */
export function* filesOf(path: string, around: readonly string[] = []): Generator<string> {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  const real = realpathSync(path);
  if (around.includes(real)) return;
  for (const name of readdirSync(path).sort()) {
    if (name === 'node_modules' || name === '.git') continue;
    const child = join(path, name);
    const stat = statOf(child);
    if (stat?.isDirectory()) yield* filesOf(child, [...around, real]);
    else if (stat?.isFile()) yield child;
  }
}

/** Nothing for a link that leads nowhere, or to itself. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return undefined;
    throw error;
  }
}

/** Of a static folder of a project. @throws CommandError for more than is embedded, and for links that lead out of the project */
export function staticAssets(dir: string, shownAs: string, project: Project): Asset[] {
  const assets: Asset[] = [];
  let bytes = 0;
  for (const file of filesOf(dir)) {
    if (placeOf(realpathSync(file), project).startsWith('_outside/'))
      throw new CommandError(
        'FULMAR_CLI_BUILD_INCLUDE',
        `static of the config names ${shownAs}, and ${relative(process.cwd(), file)} leads out of the project's folder, ${project.root}`,
      );
    const asset = toAsset(file, project);
    bytes += asset.bytes;
    assets.push(asset);
    if (assets.length > FILES_MAX || bytes > BYTES_MAX)
      throw new CommandError(
        'FULMAR_CLI_BUILD_INCLUDE',
        `static of the config names ${shownAs}, which has more than ${FILES_MAX} files or ${BYTES_MAX / 1_024 / 1_024} MB, links followed`,
      );
  }
  return assets;
}

/** What computed requires may load: name or place → what the bundler shall look for. */
export function findRequired(names: readonly string[], assets: readonly Asset[], project: Project): Map<string, string> {
  const required = new Map<string, string>();
  for (const name of names) {
    const path = toReal(name);
    const isPath = /^\.{0,2}\//.test(name) || existsSync(path);
    const file = isPath ? (statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : findSource(path)) : undefined;
    if (file !== undefined) {
      for (const source of filesOf(file)) if (sources.has(extname(source))) required.set(placeOf(source, project), source);
    } else if (!isPath && canResolve(name, project)) required.set(name, name);
    else throw new CommandError('FULMAR_CLI_BUILD_INCLUDE', `--require ${name}: there is no such file, folder or installed package`);
  }
  for (const name of [...viewEngines(assets, project), ...companions(project)]) required.set(name, name);
  return required;
}

/**
 * Packages that our own bundles ask the application for by name (`requireFromApplication`): bundled where it lists them, since
 * no source of its need import them.
 */
const ASKED_FOR: ReadonlySet<string> = new Set([
  '@nestjs/mapped-types',
  '@valibot/to-json-schema',
  'class-transformer',
  'class-validator',
  'compression',
  'cors',
  'file-type',
  'multer',
  'rxjs',
]);

export const companions = (project: Project): string[] =>
  listed(project).filter((name) => ASKED_FOR.has(name) && canResolve(name, project));

/** The package by which our own bundles show documents of OpenAPI, and its files that they read. */
const VIEWER = 'swagger-ui-dist';
const VIEWER_FILES = ['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js'];

/** Embedded where the application lists the package: read by resolved names, which no source of its says. */
export function viewerAssets(project: Project): Asset[] {
  if (!listed(project).includes(VIEWER) || !canResolve(`${VIEWER}/package.json`, project)) return [];
  const { resolve: find } = createRequire(project.entry);
  return VIEWER_FILES.map((name) => {
    const file = find(`${VIEWER}/${name}`);
    const { size, mtimeMs } = statSync(file);
    return { place: `node_modules/${VIEWER}/${name}`, file, bytes: size, mtimeMs };
  });
}

function canResolve(name: string, { entry }: Project): boolean {
  try {
    createRequire(entry).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Express loads the engine of `index.ejs` by the name `ejs`: packages that the application lists and embedded
 * files are named after.
 */
function viewEngines(assets: readonly Asset[], project: Project): string[] {
  const extensions = new Set(assets.map(({ place }) => extname(place).slice(1)));
  return listed(project).filter((name) => extensions.has(name) && canResolve(name, project));
}

const listed = ({ entry }: Project): string[] => [...declaredFor(dirname(entry), ['dependencies'])];
