/**
 * Tells what serves the application. It asks the server that is listening, not the command line, so that the answer on the
 * home page cannot be wrong: Fulmar marks its servers and its `http` module with `Symbol.for('fulmar.version')`.
 */
import http from 'node:http';

const MARK = Symbol.for('fulmar.version');
const BYTES_PER_MB = 1024 * 1024;
let listening;

/** Remembers the server that `app.listen()` gave. */
export function noteServer(server) {
  listening = server;
}

/** `{ engine, version, isFulmar, node, memoryMb, uptimeS }` of this process, now. */
export function describeRuntime() {
  const version = listening?.[MARK] ?? http[MARK];
  const isFulmar = version !== undefined;
  return {
    isFulmar,
    engine: isFulmar ? 'Fulmar' : 'node:http',
    version: isFulmar ? String(version) : process.version,
    node: process.version,
    memoryMb: Math.round(process.memoryUsage.rss() / BYTES_PER_MB),
    uptimeS: Math.round(process.uptime()),
  };
}
