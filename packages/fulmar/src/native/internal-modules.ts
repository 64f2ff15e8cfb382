/**
 * What `internal()` gives, by name: the parts of the runtime that are loaded late. Types only. A name that is not here does not compile, and a
 * test sees to it that each leads to its file.
 */
export interface InternalModules {
  'lazy/call-site.cjs': typeof import('./lazy/call-site.ts');
  'lazy/commonjs-files.cjs': typeof import('./lazy/commonjs-files.ts');
  'lazy/console-table.cjs': typeof import('./lazy/console-table.ts');
  'lazy/crypto/webcrypto.cjs': typeof import('./lazy/crypto/webcrypto.ts');
  'lazy/dns-client.cjs': typeof import('./lazy/dns-client.ts');
  'lazy/events-async-resource.cjs': typeof import('./lazy/events-async-resource.ts');
  'lazy/events-async.cjs': typeof import('./lazy/events-async.ts');
  'lazy/fatal.cjs': typeof import('./lazy/fatal.ts');
  'lazy/fs-streams.cjs': typeof import('./lazy/fs-streams.ts');
  'lazy/fs-trees.cjs': typeof import('./lazy/fs-trees.ts');
  'lazy/fs-watch.cjs': typeof import('./lazy/fs-watch.ts');
  'lazy/http-connection.cjs': typeof import('./lazy/http-connection.ts');
  'lazy/http2-constants.cjs': typeof import('./lazy/http2-constants.ts');
  'lazy/inspect.cjs': typeof import('./lazy/inspect.ts');
  'lazy/intl.cjs': typeof import('./lazy/intl.ts');
  'lazy/json-errors.cjs': typeof import('./lazy/json-errors.ts');
  'lazy/microtask.cjs': typeof import('./lazy/microtask.ts');
  'lazy/net-addresses.cjs': typeof import('./lazy/net-addresses.ts');
  'lazy/net-connect.cjs': typeof import('./lazy/net-connect.ts');
  'lazy/net-socket.cjs': typeof import('./lazy/net-socket.ts');
  'lazy/path-glob.cjs': typeof import('./lazy/path-glob.ts');
  'lazy/path-win32.cjs': typeof import('./lazy/path-win32.ts');
  'lazy/process-checks.cjs': typeof import('./lazy/process-checks.ts');
  'lazy/process-signals.cjs': typeof import('./lazy/process-signals.ts');
  'lazy/readline-keys.cjs': typeof import('./lazy/readline-keys.ts');
  'lazy/rejection-modes.cjs': typeof import('./lazy/rejection-modes.ts');
  'lazy/stack-map.cjs': typeof import('./lazy/stack-map.ts');
  'lazy/stream-classes.cjs': typeof import('./lazy/stream-classes.ts');
  'lazy/stream-extras.cjs': typeof import('./lazy/stream-extras.ts');
  'lazy/stream-web.cjs': typeof import('./lazy/stream-web.ts');
  'lazy/tls-certificate.cjs': typeof import('./lazy/tls-certificate.ts');
  'lazy/util-compare.cjs': typeof import('./lazy/util-compare.ts');
  'lazy/web/blob.cjs': typeof import('./lazy/web/blob.ts');
  'main.cjs': typeof import('./main.ts');
  'node/console.cjs': typeof import('./node/console.ts');
  'setup.cjs': typeof import('./setup.ts');
}

export type Internal = <Name extends keyof InternalModules>(name: Name) => InternalModules[Name];

/** The same for a name that is computed. */
export type InternalByName = (name: string) => unknown;
