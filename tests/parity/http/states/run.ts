/**
 * Brings one connection into a state on one side, lets its client leave, and returns what the program saw: on
 * the way, when the client had left, when the program wrote nevertheless, and when it let everything go.
 * Never compares.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { HttpModule } from '../../harness/case.ts';
import { close, listen } from '../../harness/run.ts';
import { type Client, openClient } from './client.ts';
import { Journal, nameOf, replyFlags, requestFlags, socketFlags } from './journal.ts';
import type { Leave, Log, Stage, State, Watching } from './model.ts';

/** How long a side may take to see what the other one saw. */
const NOTICE_MS_MAX = 3_000;
/**
 * Turns of the event loop without any movement after which a connection is at rest: what is in the operating
 * system is seen in one.
 */
const REST_TURNS = 10;
/** Pause between two looks; the operating system may need a moment for what goes over the loopback. */
const TURN_MS = 4;

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, TURN_MS));

export interface Scene {
  readonly state: State;
  readonly leave: Leave;
  readonly watching: Watching;
}

/** One connection being played. */
class Play {
  readonly journal: Journal;
  readonly server: Server;
  readonly #scene: Scene;
  readonly #expected: Log;
  readonly #calls: { req: IncomingMessage; res: ServerResponse }[] = [];
  readonly #owned: Socket[] = [];
  #client: Client | undefined;
  #differs = false;

  constructor(scene: Scene, http: HttpModule, expected: Log) {
    this.#scene = scene;
    this.#expected = expected;
    this.journal = new Journal(scene.watching);
    this.server = http.createServer({ keepAliveTimeout: 60_000, ...scene.state.options }, (req, res) => this.#take(req, res));
    this.server.on('close', () => this.journal.note('server close'));
    scene.state.arrange?.(this.server, this.#stage());
    if (scene.watching === 'everything') this.#watchServer();
  }

  async run(): Promise<Log> {
    const { state, leave } = this.#scene;
    await listen(this.server);
    const { port } = this.server.address() as AddressInfo;
    this.#client = await openClient(port);
    await state.approach(this.#client, this.#stage());
    if (state.isMoving !== true) await this.#rest('reached');
    this.#client.leave(leave);
    await this.#rest('left');
    this.#writeLate();
    await this.#rest('written');
    this.#letGo();
    await this.#rest('let go');
    await this.#emptied();
    return this.journal.lines;
  }

  async end(): Promise<void> {
    this.#client?.socket.destroy();
    await close(this.server);
  }

  #stage(): Stage {
    return {
      journal: this.journal,
      server: this.server,
      take: (req, res) => this.#take(req, res),
      own: (socket) => this.#own(socket),
    };
  }

  #watchServer(): void {
    const { journal, server } = this;
    server.on('connection', (socket: Socket) => {
      journal.note('server connection');
      journal.watchSocket(socket);
    });
    if (server.listenerCount('clientError') > 0) return;
    server.on('clientError', (error, socket) => {
      journal.note(`server clientError ${nameOf(error)} ${socket.writable ? 'writable' : 'not writable'}`);
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    });
  }

  #take(req: IncomingMessage, res: ServerResponse): void {
    const number = this.#calls.push({ req, res });
    this.journal.note(`request ${number} ${req.method}`);
    this.journal.watchMessages(req, res, number);
    this.#scene.state.serve?.({ req, res, number, journal: this.journal });
  }

  #own(socket: Socket): void {
    this.#owned.push(socket);
    if (this.#scene.watching !== 'everything') this.journal.watchSocket(socket);
  }

  /**
   * Waits until nothing moves any more, ours until it has seen as much as upstream, and notes the state of
   * everything.
   */
  async #rest(part: string): Promise<void> {
    const { journal } = this;
    const start = performance.now();
    const late = (): boolean => performance.now() - start > NOTICE_MS_MAX;
    const until = this.#expected.indexOf(`--- ${part}`);
    while (!this.#differs && journal.lines.length < until && !late()) await turn();
    await this.#still(late);
    if (part !== 'let go') journal.note(`--- ${part}`);
    this.#noteStates();
    if (part === 'left' || part === 'reached') journal.note(`connections ${await this.#connections()}`);
    if (this.#expected.length > 0) this.#differs ||= this.#expected.slice(0, journal.lines.length).join() !== journal.lines.join();
  }

  async #still(late: () => boolean): Promise<void> {
    const look = (): string => `${this.journal.moves} ${this.#client?.moves}`;
    let [last, turns] = [look(), 0];
    while (turns < REST_TURNS && !late()) {
      await turn();
      const now = look();
      turns = now === last ? turns + 1 : 0;
      last = now;
    }
  }

  #noteStates(): void {
    for (const [index, { req, res }] of this.#calls.entries()) {
      this.journal.note(`now req${index + 1} ${requestFlags(req)} res${index + 1} ${replyFlags(res)}`);
    }
    for (const socket of this.#owned) this.journal.note(`now owned socket ${socketFlags(socket)}`);
  }

  /** What a handler does that has not noticed: it answers. */
  #writeLate(): void {
    const { journal } = this;
    const written = (what: string) => (error?: Error | null) => journal.note(`${what} called back ${nameOf(error)}`);
    for (const [index, { res }] of this.#calls.entries()) {
      if (res.writableEnded || this.#scene.state.isWriting === true) continue;
      journal.note(`late write ${index + 1} ${res.write('late', written(`late write ${index + 1}`))}`);
      res.end(written(`late end ${index + 1}`) as () => void);
    }
    for (const socket of this.#owned) {
      if (!socket.writableEnded) journal.note(`late write ${socket.write('late', written('late write to the owned socket'))}`);
    }
  }

  /** Everything is read and ended, and the client is gone in every way, so that nothing may be left. */
  #letGo(): void {
    for (const { req } of this.#calls) req.resume();
    for (const socket of this.#owned) {
      socket.resume();
      socket.end();
    }
    this.#client?.goOnReading();
  }

  async #emptied(): Promise<void> {
    const start = performance.now();
    if (this.#scene.leave === 'half-close') this.journal.note((this.#client as Client).summary());
    this.#client?.socket.destroy();
    while ((await this.#connections()) > 0 && performance.now() - start < NOTICE_MS_MAX) await turn();
    await this.#still(() => performance.now() - start > NOTICE_MS_MAX);
    this.journal.note('--- gone');
    this.#noteStates();
    this.journal.note(`connections ${await this.#connections()}`);
  }

  #connections(): Promise<number> {
    return new Promise((resolve) => this.server.getConnections((_error, count) => resolve(count)));
  }
}

/**
 * Plays a scene on one side. `expected` is upstream's log, for which ours is given time; upstream itself has
 * none.
 */
export async function play(scene: Scene, http: HttpModule, expected: Log = []): Promise<Log> {
  const played = new Play(scene, http, expected);
  try {
    return await played.run();
  } finally {
    await played.end();
  }
}
