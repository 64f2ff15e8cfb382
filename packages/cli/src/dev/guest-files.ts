/**
 * Files of other languages that the application imports: they are files of its graph, so that who imports one runs again
 * with it. Before that the language forgets what it has loaded of the project's folder, other files that were imported
 * there included. Watches nothing itself.
 */
import { guestEnding } from '../../../fulmar/src/host/guest-files.ts';
import { type DevGuest, type DevGuests, setGlobal } from '../../../fulmar/src/host/globals.ts';
import { isInstalled, type ModuleGraph } from '../../../fulmar/src/hot/index.ts';

type Imported = Parameters<DevGuests['imported']>[2];

export class GuestFiles implements DevGuests {
  readonly #graph: ModuleGraph;
  readonly #root: string;
  readonly #guests = new Set<DevGuest>();
  readonly #files = new Set<string>();
  /** Of this run, those whose failure nobody is told of before somebody calls something of them. */
  #outcomes: Promise<unknown>[] = [];
  #hasFailed = false;

  constructor(graph: ModuleGraph, root: string) {
    this.#graph = graph;
    this.#root = root;
    setGlobal('fulmar.guests', this);
  }

  imported(guest: DevGuest, file: string, { importer, outcome, isAwaited }: Imported): void {
    this.#guests.add(guest);
    this.#files.add(file);
    this.#graph.note(importer === undefined || isInstalled(importer) ? undefined : importer, file);
    this.#graph.loads(file);
    outcome.catch(() => void (this.#hasFailed = true));
    if (!isAwaited) this.#outcomes.push(outcome);
  }

  /** Imported files that have to be loaded anew for these changes; the language has forgotten them then. */
  async changed(paths: ReadonlySet<string>): Promise<string[]> {
    const files = [...paths].filter((path) => guestEnding(path) !== undefined);
    if (files.length === 0 || this.#guests.size === 0) return [];
    // What could not be loaded is known to nobody, and any file may have mended it.
    const isFailing = this.#hasFailed;
    this.#hasFailed = false;
    const known = await Promise.all([...this.#guests].map((guest) => forget(guest, this.#root, isFailing ? undefined : files)));
    return isFailing || known.some((isKnown) => isKnown) ? [...this.#files] : files.filter((file) => this.#files.has(file));
  }

  /** The application is about to run. */
  begin(): void {
    this.#outcomes = [];
  }

  /** What is wrong with a file that this run has imported; undefined: nothing. Waits until that is known. */
  async problem(): Promise<unknown> {
    const outcomes = await Promise.allSettled(this.#outcomes);
    return outcomes.find((outcome) => outcome.status === 'rejected')?.reason;
  }
}

/** Was one of them loaded? A language that does not answer is asked for all anew. */
async function forget(guest: DevGuest, root: string, files: readonly string[] | undefined): Promise<boolean> {
  try {
    return (await guest.forget(root, files)).length > 0;
  } catch {
    return true;
  }
}
