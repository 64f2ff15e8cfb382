/**
 * What a process of `fulmar run` is told about itself, and the numbers the command line layer lives by.
 *
 * Read before the application's first module is loaded, never while a request is served.
 */
import { dirname, join, resolve } from 'node:path';

/** The two files behind one alias: a CommonJS one for `require`, an ES module for `import`. */
export interface AliasTarget {
  readonly require: string;
  readonly import: string;
}

/**
 * The targets of one package by the major version that the importing file would get; the highest where none
 * is installed.
 */
export type VersionTargets = ReadonlyMap<number, AliasTarget>;

/** A package's modules beneath its main one that have a counterpart of ours: what tools patch by path. */
export interface PartTargets {
  /** The bundle that exports them as `parts`, by their files. */
  readonly require: string;
  /** Relative to the package, with `/`. */
  readonly files: readonly string[];
}

/** Packages that compress replies, whose `zlib` is ours. */
export const zlibPackages: readonly string[] = ['compression', 'koa-compress', '@fastify/compress'];

/** Where aliases lead. `ownFolder` holds our own code, whose imports are never aliased. */
export interface AliasTargets {
  readonly http: AliasTarget;
  /**
   * The module that stands for `zlib` in `zlibPackages`, all of which `require` it; `undefined`: none does.
   */
  readonly zlib: string | undefined;
  readonly packages: ReadonlyMap<string, VersionTargets>;
  /** By the bundle that stands for the package's main module. */
  readonly parts: ReadonlyMap<string, PartTargets>;
  /** Names of Nest's, where the application is not Nest's own (`nest/applications.ts`). */
  readonly nest: ReadonlyMap<string, AliasTarget>;
  readonly ownFolder: string;
}

/** Everything the module hooks need. Plain data: it is also sent to the loader thread of old Nodes. */
export interface HookSettings {
  /** `null` with `--no-alias`. */
  readonly targets: AliasTargets | null;
  /** Tell which version of a package was found where, and what it leads to. */
  readonly verbose: boolean;
  /**
   * Sources are found and compiled as `fulmar run` does. Set later where a registered process turns out to
   * need it.
   */
  compiles: boolean;
  /** The bundle that holds these hooks; what a loader thread loads. */
  readonly bundleFile: string;
  /**
   * The file that runs; `undefined`: not known. Set later where a command that was prepared before it read its words
   * turns out to run one.
   */
  entry: string | undefined;
}

/** The folder of the bundles, seen from a file in `bin/`. */
export function distFolder(binFile: string): string {
  return resolve(dirname(binFile), '..', 'dist');
}

/** The bundles that hold the hooks: the command line's, and that of processes whose entry is not ours. */
const CLI_BUNDLE = 'cli.cjs';
export const REGISTER_BUNDLE = 'register.cjs';

/** The file of one of them. */
export function toBundleFile(binFile: string, bundle: string = CLI_BUNDLE): string {
  return join(distFolder(binFile), bundle);
}

/**
 * The module that installs our hooks in a process whose entry is not ours, or before what comes before the
 * entry.
 */
export function toPreloadFile(binFile: string): string {
  return resolve(binFile, '..', 'preload.cjs');
}

/** What `fulmar/register` leads to. */
export function toRegisterFile(binFile: string): string {
  return resolve(binFile, '..', 'register.cjs');
}

/** What `fulmar/register/typescript` leads to. */
export function toRegisterTypescriptFile(binFile: string): string {
  return resolve(binFile, '..', 'register-typescript.cjs');
}

/** Packages that have an alias: the major versions, and the entry of this package that stands for each. */
export const aliasedPackages: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  express: { 4: 'express4', 5: 'express' },
  koa: { 2: 'koa2', 3: 'koa' },
};

/**
 * Names of Nest's, and the entry of this package that stands for each in applications of `fulmar/controllers`. The deep
 * ones are those that packages beside Nest import and that work on instances; constants and helpers stay Nest's.
 */
export const nestPackages: Readonly<Record<string, string>> = {
  '@nestjs/common': 'controllers',
  '@nestjs/core': 'controllers',
  '@nestjs/core/injector/injector.js': 'controllers',
  '@nestjs/core/injector/injector': 'controllers',
  '@nestjs/platform-express': 'controllers',
  '@nestjs/testing': 'controllers-testing',
  '@nestjs/swagger': 'controllers-openapi',
};

const EXPRESS_FILES = ['lib/view.js', 'lib/utils.js', 'lib/application.js', 'lib/request.js', 'lib/response.js', 'lib/express.js'];
/** The files that `parts.ts` of each entry has, in its order. */
export const partFiles: Readonly<Record<string, readonly string[]>> = {
  express: EXPRESS_FILES,
  express4: [
    'lib/router/layer.js',
    'lib/router/route.js',
    'lib/router/index.js',
    'lib/middleware/init.js',
    'lib/middleware/query.js',
    ...EXPRESS_FILES,
  ],
};

/** What a process is asked to do with its modules. */
export type HookOptions = Pick<HookSettings, 'verbose'> & {
  readonly alias: boolean;
  readonly compiles?: boolean;
  readonly bundle?: string;
  /** Others will hook imports behind ours: all of ours are there from the start. */
  readonly atOnce?: boolean;
};

/** `entry`: the file that runs, if that is known. */
export function toHookSettings(binFile: string, options: HookOptions, entry?: string): HookSettings {
  const { alias, verbose, compiles = true, bundle } = options;
  const dist = distFolder(binFile);
  return { targets: alias ? toAliasTargets(dist) : null, verbose, compiles, bundleFile: toBundleFile(binFile, bundle), entry };
}

function toAliasTargets(dist: string): AliasTargets {
  const target = (entry: string): AliasTarget => ({ require: join(dist, `${entry}.cjs`), import: join(dist, `${entry}.mjs`) });
  const packages = Object.entries(aliasedPackages).map(([name, entries]): [string, VersionTargets] => {
    return [name, new Map(Object.entries(entries).map(([major, entry]) => [Number(major), target(entry)]))];
  });
  const parts = Object.entries(partFiles).map(([entry, files]): [string, PartTargets] => {
    return [target(entry).require, { require: join(dist, `lib-${entry}-parts.cjs`), files }];
  });
  const nest = new Map(Object.entries(nestPackages).map(([name, entry]) => [name, target(entry)]));
  return {
    http: target('http'),
    zlib: join(dist, 'zlib.cjs'),
    packages: new Map(packages),
    parts: new Map(parts),
    nest,
    ownFolder: dist,
  };
}

/** Imports are left as they are, in processes that others start: said by `--no-alias` or by the user. */
export const NO_ALIAS_VARIABLE = 'FULMAR_NO_ALIAS';
/** `--verbose`, for processes that others start. */
export const VERBOSE_VARIABLE = 'FULMAR_VERBOSE';

/** Set by Node's own `--watch` in the processes it restarts. */
export const WATCH_VARIABLE = 'WATCH_REPORT_DEPENDENCIES';

/** Is a variable of the environment set, and to something else than `0`? */
export function isOn(variable: string): boolean {
  const value = process.env[variable];
  return value !== undefined && value !== '' && value !== '0';
}

/** How long requests in flight may take after SIGTERM: below the 30 s that orchestrators usually grant. */
export const DRAIN_TIMEOUT_MS_DEFAULT = 25_000;
/** The same while `--watch` restarts: a developer waits for it. */
export const DRAIN_TIMEOUT_MS_WATCH = 1_000;
/**
 * The same at Ctrl-C in a terminal, unless `--drain-timeout` says otherwise: somebody sits there and waits.
 */
export const DRAIN_TIMEOUT_MS_INTERRUPT = 2_000;
/** Of these times, one part of so many is for what applications do when their servers have ended … */
export const STOP_PART = 5;
/** … but not more than this. */
export const STOP_MS_MAX = 5_000;
/** Compiled code is kept this long after the start: by then an application has loaded its modules. */
export const CODE_CACHE_DELAY_MS = 2_000;
/** A worker that lived this long was healthy: its death starts the count anew. */
export const WORKER_HEALTHY_MS = 10_000;

/**
 * A signal's listeners of the application have so long to end the process or close its servers, before these
 * are drained.
 */
export const SIGNAL_MOMENT_MS = 1_000;
/** Meanwhile work that they have started is looked at this often. */
export const SIGNAL_WORK_LOOK_MS = 100;
/** To the primary of `--workers`: start new workers, one by one. */
export const RELOAD_SIGNALS = ['SIGHUP', 'SIGUSR2'] as const;
/** After a `listen()` that failed an application has so long to try again. */
export const LISTEN_RETRY_MS = 3_000;
/** A worker with nothing left to do waits so long for answers of its primary. */
export const UNANSWERED_MS = 1_000;
