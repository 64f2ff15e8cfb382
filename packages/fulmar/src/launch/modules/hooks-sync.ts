/**
 * The hooks on Node 22.15 and later: synchronous, in this thread, for `require` and `import` alike.
 *
 * The load hook is added with the first source that must be compiled, the first file of another language, or the first
 * `import` of `http`: others never pay for it.
 */
import type { LoadHookContext, LoadHookSync, ResolveFnOutput, ResolveHookContext, ResolveHookSync } from 'node:module';
import { toHint } from '../compile/export-names.ts';
import { leadsAtOnce, ModuleRules, toFile, toPathSpecifier, toResolution } from './hooks.ts';
import { OwnFrames } from '../lifecycle/own-frames.ts';
import { isNotFound } from '../compile/resolve.ts';
import type { HookSettings } from '../settings.ts';
import { placeSubstitute } from './substitutes.ts';

interface HookRegistry {
  registerHooks?: (hooks: { resolve?: ResolveHookSync; load?: LoadHookSync }) => unknown;
}

/** Installs the hooks, with `atOnce` also the one that may be needed later; false where this Node has none of this kind. */
export function installSyncHooks(settings: HookSettings, atOnce = false): boolean {
  const { registerHooks } = process.getBuiltinModule('node:module') as HookRegistry;
  if (registerHooks === undefined) return false;
  const rules = new ModuleRules(settings);
  const deciding = { rules, frames: new OwnFrames(settings.bundleFile) };
  let loads = false;
  const addLoad = (): void => {
    loads = true;
    registerHooks({ load: (url, context, next) => load(rules, url, context) ?? next(url, context) });
  };
  if (atOnce) addLoad();
  registerHooks({
    resolve(specifier, context, next) {
      const result = resolve(deciding, specifier, context, next);
      if (!loads && /^node:http(?:\?|$)|\.(?:[cm]?ts|[tj]sx|py|rb|java)(?:[?#]|$)/.test(result.url)) addLoad();
      return result;
    },
  });
  return true;
}

type Next = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput;

interface Deciding {
  readonly rules: ModuleRules;
  readonly frames: OwnFrames;
}

function resolve({ rules, frames }: Deciding, specifier: string, context: ResolveHookContext, next: Next): ResolveFnOutput {
  const { parentURL, conditions } = context;
  const isRequire = conditions.includes('require');
  const alias = rules.aliasOf(specifier, () => toFile(parentURL), isRequire ? 'require' : 'import');
  const toAlias = (file: string): ResolveFnOutput => ({
    url: toResolution(file).url,
    format: isRequire ? 'commonjs' : 'module',
    shortCircuit: true,
  });
  if (alias !== undefined && leadsAtOnce(specifier, isRequire)) return toAlias(alias);
  if (parentURL !== undefined && /\.(?:[cm]?tsx?)(?:[?#]|$)/.test(parentURL)) {
    const early = rules.resolveEarly(isRequire ? specifier : toPathSpecifier(specifier), toFile(parentURL));
    if (early !== undefined) return toResolution(early, isRequire ? '' : specifier);
  }
  const find = (): ResolveFnOutput => {
    const found = next(specifier, context);
    const file = toFile(found.url);
    const substitute = file === undefined ? undefined : rules.substituteOf(file);
    if (file !== undefined && substitute !== undefined) placeSubstitute(file, substitute);
    return file !== undefined && rules.isSource(file) ? { ...found, ...toResolution(file), url: found.url } : found;
  };
  const findInstead = (error: unknown): ResolveFnOutput | undefined => {
    if (!isNotFound(error)) return undefined;
    if (alias !== undefined) return toAlias(alias);
    const late = rules.resolveLate(isRequire ? specifier : toPathSpecifier(specifier), toFile(parentURL));
    return late === undefined ? undefined : toResolution(late, isRequire ? '' : specifier);
  };
  if (isRequire) return frames.call(find, findInstead);
  try {
    return find();
  } catch (error) {
    // With its stack as it is: by that Node knows the line to show.
    const instead = findInstead(error);
    if (instead === undefined) throw error;
    return instead;
  }
}

function load(
  rules: ModuleRules,
  url: string,
  { conditions }: LoadHookContext,
): { format: string; source: string; shortCircuit: true } | undefined {
  const source = rules.sourceOf(url);
  if (source !== undefined) return { format: 'module', source, shortCircuit: true };
  const file = toFile(url);
  if (file === undefined) return undefined;
  const guestFormat = conditions.includes('require') ? 'commonjs' : 'module';
  const guest = rules.guestOf(file, guestFormat);
  if (guest !== undefined) return { format: guestFormat, source: guest, shortCircuit: true };
  if (!rules.isSource(file)) return undefined;
  const { code, format } = rules.load(file);
  const isReexporting = format === 'commonjs' && code.includes('__vite_ssr_exportAll__(');
  return { format, source: isReexporting ? code + toHint(rules.exportNames(file)) : code, shortCircuit: true };
}
