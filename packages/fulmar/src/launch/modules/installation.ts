/**
 * The module hooks of a process: installed once, whoever asks first, before the application's first module.
 *
 * `fulmar run` asks, and what is loaded before an entry that is not ours (`preload.ts`). Both may in one
 * process: the second asks for what is missing.
 */
import { createRequire } from 'node:module';
import { patchGetBuiltinModule } from './builtin.ts';
import { answerWorkers } from '../lifecycle/cluster-primary.ts';
import { formatOf } from '../compile/file-types.ts';
import { installLegacyHooks } from './hooks-legacy.ts';
import { installSyncHooks } from './hooks-sync.ts';
import { tellOfReplaced } from './replaced-before.ts';
import { type HookOptions, type HookSettings, toHookSettings } from '../settings.ts';
import { readGlobal, setGlobal } from '../../host/globals.ts';

/** The hooks of this process. */
interface Installed {
  readonly settings: HookSettings;
  /** Starts the thread that old Nodes load ES modules in; `undefined` where there is none. */
  readonly startThread?: () => void;
  /** The same, where the application needs it for the ES modules that are in sight. */
  readonly prepareForModules?: () => void;
  readonly compileSources?: () => void;
  /** Tells the thread, if there is one, what the settings have become. */
  readonly renew?: () => void;
}

/** `entry`: the file that runs, if that is known. */
export function install(binFile: string, options: HookOptions, entry: string | undefined): Installed {
  const settings = toHookSettings(binFile, options, entry);
  const before = readGlobal('fulmar.cli.installed') as Installed | undefined;
  const installed = before ?? installHooks(settings, entry, options.atOnce === true);
  setGlobal('fulmar.cli.installed', installed);
  if (entry !== undefined && installed.settings.entry !== entry) {
    installed.settings.entry = entry;
    installed.renew?.();
  }
  if (settings.compiles && !installed.settings.compiles) {
    installed.settings.compiles = true;
    installed.compileSources?.();
  }
  // With `--import`, Node loads even a CommonJS entry through the ES module loader.
  const usesImport = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(' ')].some((flag) =>
    /^--(?:import|(?:experimental-)?loader)\b/.test(flag),
  );
  if (usesImport && settings.compiles) installed.startThread?.();
  else if (usesImport || isModule(entry)) installed.prepareForModules?.();
  return installed;
}

/** Is what runs an ES module, as far as that is known? A thread without a file runs a `data:` URL. */
function isModule(entry: string | undefined): boolean {
  if (entry !== undefined) return formatOf(entry) === 'module';
  return !process.getBuiltinModule('node:worker_threads').isMainThread;
}

function installHooks(settings: HookSettings, entry: string | undefined, atOnce: boolean): Installed {
  const isSync = installSyncHooks(settings, atOnce);
  const { targets } = settings;
  if (targets !== null) {
    tellOfReplaced(() => process.getBuiltinModule('node:http'));
    patchGetBuiltinModule(targets, !isSync);
    answerWorkers(() => createRequire(targets.http.require)('./lazy-cluster.cjs'));
  }
  if (isSync) return { settings };
  const legacy = installLegacyHooks(settings, entry);
  if (atOnce) legacy.startThread();
  return { settings, ...legacy };
}
