/**
 * The primary of an application's own cluster answers its workers, who agree there on the port of
 * `listen(0)`, also where it loads no `http`.
 *
 * Before the application. Loads nothing until there is a first worker.
 */

/** What Node's cluster begins to listen to before the first worker is started. */
const FORKING = 'internalMessage';

/** `packages/fulmar/src/http/cluster.ts`, in a bundle of its own. */
interface ClusterParts {
  readonly default: { servePrimary(): void };
}

export function answerWorkers(load: () => ClusterParts): void {
  const onNewListener = (event: string | symbol): void => {
    if (event !== FORKING) return;
    process.removeListener('newListener', onNewListener);
    load().default.servePrimary();
  };
  process.on('newListener', onNewListener);
}
