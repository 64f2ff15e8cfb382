/**
 * The bundler's plugin: finds modules as `fulmar run` does, with the same aliases, and gives it their
 * rewritten text.
 */
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { Plugin, PluginContext } from 'rolldown';
import { type Aliaser, mayBeAliased } from '../../../fulmar/src/launch/modules/aliases.ts';
import { findSource, isDependency, resolveEarly, resolveLate } from '../../../fulmar/src/launch/compile/resolve.ts';
import type { FoundFiles } from './found-files.ts';
import { embedGuestFile, GUEST_MODULE, guestModule } from './guest-files.ts';
import { type Findings } from './problems.ts';
import { placeOf, type Project, shown } from './project.ts';
import { withRoutes } from './routes-folder.ts';
import type { SloppyModules } from './sloppy.ts';
import { type BundleSource, readSource } from './sources.ts';
import type { Target, TargetModule } from './target.ts';
import type { Transports } from './transports.ts';
import { globalInSource } from '../../../fulmar/src/host/globals.ts';
import { guestEnding } from '../../../fulmar/src/host/guest-files.ts';

export interface PluginOptions {
  readonly project: Project;
  readonly findings: Findings;
  readonly target: Target;
  readonly alias: Aliaser | undefined;
  readonly sloppy: SloppyModules;
  readonly found: FoundFiles;
  /** Only where there are threads. */
  readonly transports: Transports | undefined;
  /** A file of the package that depends on the compiler. */
  readonly cliFile: string;
  /** Modules that have no file, by their ids. */
  readonly virtual: Map<string, string>;
  /**
   * Filled: `importer\nspecifier` → place, for `import.meta.resolve` `importer\nimport specifier` → place or
   * `node:` name.
   */
  readonly resolved: Record<string, string>;
  /** Filled: files that are CommonJS. */
  readonly scripts: Set<string>;
  /** Called for each file that a thread or process starts with. */
  readonly onEntry: (file: string) => void;
}

interface Marks {
  readonly guarded: ReadonlySet<string>;
  readonly late: ReadonlySet<string>;
}

type Kind = 'require' | 'import';

/** Ids of modules without a file. */
export const VIRTUAL = '\0fulmar:';

/** Packages whose only purpose is to load a compiled addon. */
const addonLoaders: ReadonlySet<string> = new Set([
  'bindings',
  'node-gyp-build',
  'node-gyp-build-optional-packages',
  'node-pre-gyp',
  '@mapbox/node-pre-gyp',
  'prebuild-install',
]);

export function createPlugin(options: PluginOptions): Plugin {
  const finder = new ModuleFinder(options);
  return {
    name: 'fulmar-build',
    async resolveId(specifier, importer, { kind }) {
      return finder.find(this, specifier, importer, kind === 'require-call' ? 'require' : 'import', kind);
    },
    async load(id) {
      const virtual = options.virtual.get(id);
      if (virtual !== undefined) return { code: virtual, moduleType: 'js' };
      const read = (file: string): BundleSource | undefined =>
        readSource(file, options.project, (code, settings) => this.parse(code, settings), options.cliFile);
      const found = read(id);
      if (found === undefined) return undefined;
      const source = await withRoutes(id, found, { ...options, isScript: (file) => read(file)?.isCommonJs === true });
      finder.mark(id, source);
      if (source.isCommonJs) options.scripts.add(id);
      report(id, source, options);
      await noteResolved(this, id, source.resolved, options);
      await noteMetaResolved(this, id, source.metaResolved, options);
      if (source.isSloppy && options.target.isStrict !== true)
        return { code: options.sloppy.take(id, source), map: { mappings: '' }, moduleType: 'js' };
      const code = options.target.adapt?.(id, source.code) ?? source.code;
      return { code, map: source.map as never, moduleType: 'js' };
    },
  };
}

class ModuleFinder {
  readonly #options: PluginOptions;
  readonly #marks = new Map<string, Marks>();
  /** The first importer of a file, and whether that copes with its absence. */
  readonly #importers = new Map<string, { file: string; soft: boolean }>();

  constructor(options: PluginOptions) {
    this.#options = options;
  }

  mark(file: string, marks: Marks): void {
    this.#marks.set(file, marks);
  }

  async find(context: PluginContext, specifier: string, importer: string | undefined, kind: Kind, rolldownKind: string) {
    const { project, target, alias, virtual } = this.#options;
    if (virtual.has(specifier)) return { id: specifier, moduleSideEffects: true };
    if (importer?.startsWith(GUEST_MODULE)) return this.#take(target.own(join(project.ownFolder, 'polyglot.cjs')));
    if (importer?.startsWith(project.ownFolder) && target.isBuiltin(specifier)) return this.#builtin(specifier, importer, rolldownKind);
    const leads =
      importer === undefined || !mayBeAliased(specifier) ? undefined : alias?.(specifier, toImporter(importer, project))?.[kind];
    if (leads !== undefined) return this.#take(target.own(leads));
    if (target.isBuiltin(specifier)) return this.#builtin(specifier, importer, rolldownKind);
    if (importer === `${VIRTUAL}boot` && specifier.startsWith('./')) return this.#take(target.own(specifier));
    if (importer === undefined || importer.startsWith(VIRTUAL)) return this.#fromBuild(context, specifier);
    if (importer.startsWith('\0') || importer.startsWith(project.ownFolder)) return undefined;
    if (addonLoaders.has(specifier)) return this.#addon(packageOf(importer), importer, specifier, rolldownKind);
    const early = resolveEarly(specifier, importer);
    if (early !== undefined) return this.#guest(early, rolldownKind) ?? this.#note(early, importer, specifier);
    const found = await context.resolve(specifier, importer, { skipSelf: true, kind: rolldownKind as never });
    if (found !== null && found.external === false) {
      const guest = this.#guest(found.id, rolldownKind);
      if (guest !== undefined) return guest;
      if (extname(found.id) === '.node') return this.#addon(specifier, importer, specifier, rolldownKind);
      // The client of RPC and its parts stand alone, and are bundled as a package's files are.
      if (found.id.startsWith(`${project.ownFolder}${sep}client`) && found.id.endsWith('.mjs')) return found;
      if (found.id.startsWith(project.ownFolder + sep)) return this.#take(target.own(found.id));
      this.#note(found.id, importer, specifier);
      return found;
    }
    if (specifier.startsWith('data:')) return { id: specifier, external: true };
    const late = resolveLate(specifier, importer);
    if (late === undefined) return this.#missing(specifier, importer, rolldownKind);
    return this.#guest(late, rolldownKind) ?? this.#note(late, importer, specifier);
  }

  /** A file of another language is embedded, and a module stands for it. */
  #guest(file: string, rolldownKind: string) {
    if (guestEnding(file) === undefined) return undefined;
    embedGuestFile(file, basename(file), this.#options);
    return this.#take(guestModule(file, rolldownKind, this.#options.project));
  }

  /** Named by the build itself: an absolute path, or a package as the entry would get it. */
  async #fromBuild(context: PluginContext, specifier: string) {
    if (specifier.startsWith(sep) || /^[A-Za-z]:/.test(specifier)) return { id: specifier, moduleSideEffects: true };
    return context.resolve(specifier, this.#options.project.entry, { skipSelf: true, kind: 'require-call' });
  }

  #builtin(specifier: string, importer: string | undefined, kind: string) {
    const found = this.#options.target.builtin(specifier, importer);
    if (found !== undefined) return this.#take(found);
    const { findings } = this.#options;
    if (importer === undefined || this.#isSoft(specifier, importer)) findings.leftOut(specifier);
    else findings.problem({ kind: 'builtin', specifier, importer });
    return this.#stand(specifier, importer ?? '', 'The native host has no such module.', kind);
  }

  #take({ id, external, code }: TargetModule) {
    if (code === undefined) return external === true ? { id, external } : { id };
    this.#options.virtual.set(id, code);
    return { id };
  }

  #note(id: string, importer: string | undefined, specifier: string): { id: string } {
    this.#options.findings.found(id, importer);
    if (importer !== undefined && !this.#importers.has(id))
      this.#importers.set(id, { file: importer, soft: this.#isSoft(specifier, importer) });
    return { id };
  }

  #isSoft(specifier: string, importer: string): boolean {
    const marks = this.#marks.get(importer);
    if (marks === undefined) return false;
    // A function of a dependency may never be called; one of the application is meant to be.
    return marks.guarded.has(specifier) || (marks.late.has(specifier) && isDependency(importer));
  }

  #missing(specifier: string, importer: string, kind: string) {
    const { findings } = this.#options;
    if (this.#isSoft(specifier, importer) || this.#isGuardedByUsers(importer)) findings.leftOut(specifier);
    else findings.problem({ kind: 'missing', specifier, importer });
    return this.#stand(specifier, importer, 'It was not installed when the file was built.', kind);
  }

  /**
   * A package that guards its own search for an addon needs one all the same: the guard that counts is that
   * of its users.
   */
  #addon(named: string, importer: string, specifier: string, kind: string) {
    const soft = (packageOf(importer) === '' && this.#isSoft(specifier, importer)) || this.#isGuardedByUsers(importer);
    if (soft) this.#options.findings.leftOut(named);
    else this.#options.findings.problem({ kind: 'native', specifier: named, importer });
    return this.#stand(specifier, importer, 'It is a native addon, which cannot be bundled.', kind);
  }

  /** Does a package that led to the one of `importer` cope with its absence? */
  #isGuardedByUsers(importer: string): boolean {
    const owner = packageOf(importer);
    const seen = new Set<string>();
    for (let file = importer; !seen.has(file);) {
      seen.add(file);
      const link = this.#importers.get(file);
      if (link === undefined) break;
      if (link.soft && packageOf(link.file) !== packageOf(file) && !owner.startsWith(`${packageOf(link.file)}-`)) return true;
      file = link.file;
    }
    return false;
  }

  /** A module that throws, each time it is asked for. */
  #stand(specifier: string, importer: string, reason: string, kind: string) {
    const isStatic = kind === 'import-statement';
    // Its last letters decide what the bundler takes it for, and must not be those of an importer's name.
    const id = `${VIRTUAL}missing${isStatic ? '-import' : ''}:${specifier}:${importer}:`;
    const values = [specifier, placeOf(importer, this.#options.project), reason].map((value) => JSON.stringify(value)).join(',');
    const call = `${globalInSource('fulmar.bundle')}.api.missing(${values});`;
    // Imported names are not looked for in CommonJS; an ES module throws again for each `require`.
    this.#options.virtual.set(id, isStatic ? `module.exports = {};${call}` : `${call}\nexport {};`);
    return { id, moduleSideEffects: true };
  }
}

/** What the build itself asks for, it asks for in the application's name. */
const toImporter = (importer: string, { entry }: Project): string => (importer.startsWith('\0') ? entry : importer);

/** `@scope/name` of the package that `file` is in; empty for the application's own. */
function packageOf(file: string): string {
  return /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1]?.replace('\\', '/') ?? '';
}

function report(file: string, source: BundleSource, { project, findings, found, transports, target, onEntry }: PluginOptions): void {
  for (const path of source.paths) if (source.routes.every((folder) => folder.path !== path)) found.look(file, path);
  for (const path of source.guestFiles) embedGuestFile(file, path, { found, findings, target, project });
  transports?.look(file, findings.isOwn(file) ? source.targets : [], onEntry);
  for (const { line, what } of target.lacks?.(source.code) ?? []) {
    findings.note(`${shown(file)}:${line}: uses ${what}, which the native host does not have: the call will fail`);
  }
  if (!findings.isOwn(file)) return;
  for (const { line, text } of source.computed) {
    findings.note(`${shown(file)}:${line}: ${text} has a computed name; what it loads must be bundled by --require, unless it already is`);
  }
  for (const line of found.hasNamed ? [] : source.computedGuests) {
    const place = 'is looked for from the built file on (from: import.meta.url is its module)';
    findings.note(
      `${shown(file)}:${line}: import() of another language has a computed name; what it names is embedded by --include, and ${place}`,
    );
  }
  for (const line of source.unknownEntries) {
    findings.note(`${shown(file)}:${line}: the file of this thread or process is not known; it must lie beside the built file`);
  }
  for (const name of source.entries) {
    const entry = name === '' ? file : findSource(resolve(dirname(file), name));
    if (entry === undefined) findings.note(`${shown(file)}: starts a thread or process with ${basename(name)}, which does not exist`);
    else onEntry(entry);
  }
}

async function noteResolved(
  context: PluginContext,
  importer: string,
  names: readonly string[],
  { project, resolved, target }: PluginOptions,
) {
  for (const name of names) {
    if (target.isBuiltin(name)) continue;
    const found = await context.resolve(name, importer, { skipSelf: true, kind: 'require-call' });
    const file = found !== null && found.external === false ? found.id : resolveLate(name, importer);
    if (file !== undefined) resolved[`${placeOf(importer, project)}\n${name}`] = placeOf(file, project);
  }
}

async function noteMetaResolved(
  context: PluginContext,
  importer: string,
  names: readonly string[],
  { project, resolved, target, found: files }: PluginOptions,
) {
  for (const name of names) {
    if (target.isBuiltin(name) || /^(?:\.{0,2}\/|\w{2,}:)/.test(name)) continue;
    const found = await context.resolve(name, importer, { skipSelf: true, kind: 'import-statement' });
    const isBuiltin = found !== null && target.isBuiltin(found.id);
    const file = found !== null && found.external === false ? found.id : resolveLate(name, importer);
    const place = isBuiltin ? `node:${found.id.replace(/^node:/, '')}` : file === undefined ? undefined : placeOf(file, project);
    if (place !== undefined) resolved[`${placeOf(importer, project)}\nimport ${name}`] = place;
    if (file !== undefined && !isBuiltin) files.look(importer, relative(dirname(importer), file));
  }
}
