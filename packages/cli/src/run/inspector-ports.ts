/**
 * `--inspect=<port> --workers`: the primary listens for a debugger on the port that was asked for, and
 * workers on those after it, as under Node's own cluster. There a port is never used again; here a worker
 * that takes the place of another takes its port.
 *
 * Loads the inspector only when it is asked for.
 */

const PORT_DEFAULT = 9_229;
const PORT_MAX = 65_535;
/** Where Node's cluster goes on after the highest. */
const PORT_MIN = 1_024;

/** What the options of Node say. */
export interface InspectorAddress {
  /** A debugger is listened for from the start. */
  readonly isOpen: boolean;
  readonly host: string | undefined;
  readonly port: number | undefined;
}

export class InspectorPorts {
  readonly #base: number;
  readonly #taken = new Map<object, number>();
  #offered: number | undefined;

  constructor(nodeFlags: readonly string[]) {
    const { isOpen, host, port } = readInspectorAddress(nodeFlags);
    // For SIGUSR1, and for who asks; an invalid one is left to the workers' complaint.
    if (port !== undefined && port > 0 && port <= PORT_MAX) process.debugPort = port;
    // Asked for from outside, as with NODE_OPTIONS, Node has opened it.
    this.#base = (isOpen && openInspector(port, host)) || process.debugPort || PORT_DEFAULT;
  }

  /** For the worker that is about to start: the lowest that none of the others has. */
  next(): number {
    const taken = new Set(this.#taken.values());
    for (let offset = 1; ; offset++) {
      const port = this.#base + offset;
      const inRange = port <= PORT_MAX ? port : port - PORT_MAX + PORT_MIN - 1;
      if (!taken.has(inRange)) return (this.#offered = inRange);
    }
  }

  give(worker: object): void {
    if (this.#offered !== undefined) this.#taken.set(worker, this.#offered);
    this.#offered = undefined;
  }

  takeBack(worker: object): void {
    this.#taken.delete(worker);
  }
}

/**
 * Opens the inspector and returns its port; Node itself says on standard error where it listens, or why not.
 */
function openInspector(port: number | undefined, host: string | undefined): number | undefined {
  const inspector = process.getBuiltinModule('node:inspector');
  if (inspector.url() === undefined) inspector.open(port, host);
  const url = inspector.url();
  return url === undefined ? undefined : Number(new URL(url).port);
}

/**
 * As Node reads them: `--inspect[-brk|-wait][=[host:]port]`, `--inspect-port=[host:]port`; what comes later
 * wins.
 */
export function readInspectorAddress(nodeFlags: readonly string[]): InspectorAddress {
  let [isOpen, host, port]: [boolean, string | undefined, number | undefined] = [false, undefined, undefined];
  for (const [index, flag] of nodeFlags.entries()) {
    const [, name = '', inline] = /^--(inspect|inspect-brk|inspect-wait|inspect-port|debug-port)(?:=(.*))?$/.exec(flag) ?? [];
    if (name === '') continue;
    const isPort = name.endsWith('port');
    isOpen ||= !isPort;
    const value = inline ?? (isPort ? nodeFlags[index + 1] : undefined);
    if (value === undefined) continue;
    const [, bracketed, plain, digits] = /^(?:\[(.*)\]|(?!\d+$)([^:]*))?:?(\d+)?$/.exec(value) ?? [];
    host = bracketed || plain || host;
    port = digits === undefined ? port : Number(digits);
  }
  return { isOpen, host, port };
}
