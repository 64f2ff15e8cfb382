/**
 * A port for an application that is told which one to take (`PORT`). Below the range from which the system
 * gives ports to everybody who asks for any: in the time until the application listens, nobody else gets it
 * by chance.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';

/** Above what services are usually configured to; IANA's dynamic range begins at 49152, Linux's at 32768. */
const PORT_MIN = 10_000;
const PORT_BELOW = 32_768;
const ATTEMPTS_MAX = 100;

/** A free port, or the first of `count` in a row. Throws when none of many was free. */
export async function freePort(count = 1): Promise<number> {
  const below = await lowestDynamicPort();
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = PORT_MIN + Math.floor(Math.random() * (below - PORT_MIN - count));
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(port + index)));
    if (free.every(Boolean)) return port;
  }
  throw new Error(`no free port from ${PORT_MIN} to ${below - 1} in ${ATTEMPTS_MAX} attempts`);
}

async function lowestDynamicPort(): Promise<number> {
  try {
    const low = Number.parseInt(await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
    return low > PORT_MIN + ATTEMPTS_MAX ? low : PORT_BELOW;
  } catch {
    return PORT_BELOW;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}
