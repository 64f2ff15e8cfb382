/**
 * The plugin for Vite: as for Rollup, and in its dev server a module is updated when a file that its types come
 * from has changed what is made of it, be it imported by nobody at run time.
 *
 * Files behind a module's types are not watched as its imports are: most changes to them leave its code as it is,
 * and a page would be loaded anew for each.
 */
import { compileModule, NAME } from './compile-module.ts';
import { type Transform, transformBy, watchAll } from './rollup.ts';

interface ResolvedConfig {
  readonly command: string;
  readonly plugins: readonly { readonly name: string }[];
  readonly environments?: unknown;
}

/** What of an environment of Vite's is used: it has a graph of modules of its own. */
interface InEnvironment<Module> {
  readonly environment: { readonly moduleGraph: { getModulesByFile(file: string): ReadonlySet<Module> | undefined } };
}

export interface VitePlugin {
  readonly name: string;
  readonly enforce: 'pre';
  readonly transform: Transform;
  configResolved(config: ResolvedConfig): void;
  hotUpdate<Module>(this: InEnvironment<Module>, update: { readonly file: string; readonly modules: Module[] }): Module[] | undefined;
}

/** A module as it was compiled last; without code where that was not possible. */
interface User {
  readonly source: string;
  readonly code: string | undefined;
  readonly files: ReadonlySet<string>;
}

export function vite(): VitePlugin {
  const users = new Map<string, User>();
  let isServing = false;
  let isSecond = false;
  const transform = transformBy((context, outcome, { id, source }) => {
    if (isServing) users.set(id, { source, code: outcome.made?.code, files: new Set(outcome.watched) });
    else watchAll(context, outcome);
  });
  const plugin: VitePlugin = {
    name: NAME,
    enforce: 'pre',
    transform: {
      ...transform,
      handler(code, id) {
        // `fulmar/vite` brings the plugin along; whoever lists it as well has it once.
        return isSecond ? undefined : transform.handler.call(this, code, id);
      },
    },
    configResolved({ command, plugins, environments }) {
      if (environments === undefined)
        throw new Error('fulmar-compiler needs Vite 6 or later, and this is an older one. Install a newer one.');
      isServing = command === 'serve';
      isSecond = plugins.find(({ name }) => name === NAME) !== plugin;
    },
    hotUpdate({ file, modules }) {
      const graph = this.environment.moduleGraph;
      const stale = [...users].filter(([id, user]) => user.files.has(file) && isStale(id, user));
      const more = stale.flatMap(([id]) => [...(graph.getModulesByFile(id) ?? [])]).filter((one) => !modules.includes(one));
      return more.length === 0 ? undefined : [...modules, ...more];
    },
  };
  return plugin;
}

/** Would other code be made of it? */
const isStale = (id: string, { source, code }: User): boolean => code === undefined || compileModule(id, source)?.made?.code !== code;
