/**
 * Tells of an `http.createServer` that a module has replaced before Fulmar was there, as one that `--require`
 * names first: what calls Node's makes servers of Node's, so that it can do nothing for ours, and would
 * otherwise be missed without a word.
 *
 * Before the application. Loads no `http` to find out.
 */
import { tell } from '../terminal/tell.ts';

/** Node's, in all versions so far. Where it is another one, Node's own source is asked. */
const usual = /^function createServer\(\w+, \w+\) \{\s*return new Server\(\w+, \w+\);\s*\}$/;

/** `http`: gives Node's module. */
export function tellOfReplaced(http: () => { readonly createServer: unknown }): void {
  const { moduleLoadList } = process as { moduleLoadList?: readonly string[] };
  if (moduleLoadList?.includes('NativeModule http') !== true) return;
  const text = String(http().createServer);
  if (usual.test(text) || sourceOfHttp()?.includes(text) !== false) return;
  tell(
    'http.createServer was replaced before Fulmar was loaded, and what replaced it sees no server of Fulmar’s. ' +
      'Name its module after fulmar/register, or with `fulmar run --require`',
  );
}

/** `undefined`: this Node does not show it, as under `--permission`. */
function sourceOfHttp(): string | undefined {
  try {
    return (process as unknown as { binding(name: string): Record<string, string> }).binding('natives')['http'];
  } catch {
    return undefined;
  }
}
