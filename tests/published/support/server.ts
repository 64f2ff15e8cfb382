/** What a published server is to these tests: how it is started, and what its real clients do with it. */
import type { Client } from '../../e2e/support/client.ts';
import type { Mask } from '../../e2e/support/transcript.ts';

/** Where one run takes place. */
export interface Place {
  /** The server's folder: its `package.json`, its `node_modules`. */
  readonly folder: string;
  /** The process's own folder, made empty for each run, with a copy of `app/` where there is one. */
  readonly work: string;
  /** Where it is to listen, on 127.0.0.1. */
  readonly port: number;
  /** What clients are told: `http://127.0.0.1:<port of the recorder>`. */
  readonly url: string;
  /** The Node that runs the server. */
  readonly node: string;
  /** `postgres://…` of an empty database, for servers that ask for one. */
  readonly database: string;
}

export interface Talk extends Place {
  /** False in the sample of `npm test`, which has little time: slow clients say less there. */
  readonly isThorough: boolean;
  /** A client with keep-alive and cookies. */
  readonly client: Client;
  /** Begins a new step: what follows is compared as its own. */
  readonly step: (name: string) => Promise<void>;
  /** Kept for the comparison beside the replies: what a client made of them. */
  readonly note: (value: unknown) => void;
  /** Called when the conversation has ended, last first. */
  readonly after: (close: () => unknown) => void;
  /** Loads a client's package from the server's folder. */
  readonly load: <T>(name: string) => Promise<T>;
  /** Runs a command in the work folder to its end. */
  readonly run: (command: string, args: readonly string[], options?: RunOptions) => Promise<Ran>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Published {
  /** The name of its folder, unless `folder` is told. */
  readonly name: string;
  /** The folder that it shares with another server, of which it is another form. */
  readonly folder?: string;
  /** The package whose version is shown. */
  readonly shown: string;
  /** The least major version of Node that it runs on; 20 unless told. */
  readonly nodeMin?: number;
  /** What Node is asked to run, from the server's folder. */
  readonly entry: string;
  readonly args?: (place: Place) => readonly string[];
  /**
   * Set where users start it by a command that is not theirs: `fulmar/register` is then named by
   * NODE_OPTIONS.
   */
  readonly isCommand?: boolean;
  readonly env?: (place: Place) => Readonly<Record<string, string>>;
  /** Set for servers that need an empty PostgreSQL database. */
  readonly needsDatabase?: boolean;
  /**
   * A build of what is in `site/`, before the first start. Not repeated while the file `built` is younger
   * than that.
   */
  readonly build?: { readonly built: string; readonly cwd?: string; readonly command: (folder: string) => readonly string[] };
  /** Before each start: configuration in the work folder. */
  readonly prepare?: (place: Place) => unknown;
  /**
   * Set where its application prints, asked by `talk`, `http is Fulmar's: true` or `false`: what its own
   * `node:http` is, and not only whether the engine is loaded in its process.
   */
  readonly tellsHttp?: boolean;
  /** A target that is answered with less than 500 once it is ready; `/` unless told. */
  readonly ready?: string;
  readonly masks?: readonly Mask[];
  /**
   * Requests (method and target) of which a client makes as many as time has it, polling above all: their
   * replies count once each, without content; what they brought is noted by the client.
   */
  readonly timed?: RegExp;
  /**
   * Requests (method, target and length) that are refused while they are still sent: whether the reply
   * arrives is the network's affair.
   */
  readonly refused?: RegExp;
  readonly talk: (talk: Talk) => Promise<void>;
}
