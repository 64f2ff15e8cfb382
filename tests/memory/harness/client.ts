/**
 * One client of a run: raw sockets that keep alive, pipeline, upload in pieces, upgrade, read slowly and
 * leave early. Every byte that comes back is looked at: no cell of another client, no memory that was freed,
 * and where the application left its reply alone, exactly the reply that was planned.
 */
import net from 'node:net';
import process from 'node:process';
import { CELL_BYTES, cell, FILL, foreignIn, pattern } from './marks.ts';
import { PATCHES, planRequest, type RequestPlan, type RunPlan } from './plan.ts';
import { type Reply, ReplyReader } from './replies.ts';

const PIPELINED_MAX = 6;
const PIECE_BYTES = 20_000;
const SLOW_PAUSE_MS = 2;
const SLOW_PAUSES_MAX = 8;
/** A checker such as valgrind makes everything slow. */
const SILENCE_MAX_MS = process.env['MEMORY_FUZZ_UNDER'] === undefined ? 10_000 : 100_000;
const LAYERS_STATUS = new Set([200, 101]);

/**
 * What the application may have put in the place of the reply's bytes: its own fill, and zeros of memory that
 * it took away.
 */
const isPutThere = (code: number): boolean => code === FILL || code === 0;

export class Client {
  readonly findings: string[] = [];
  replies = 0;
  brokenOff = 0;
  readonly #run: RunPlan;
  readonly #port: number;
  readonly #client: number;
  readonly #isPatched: boolean;

  constructor(run: RunPlan, port: number, client: number) {
    this.#run = run;
    this.#port = port;
    this.#client = client;
    this.#isPatched = run.mutations.some((mutation) => (PATCHES as readonly string[]).includes(mutation));
  }

  /** Sends all requests of the run; ends early when the server is gone. */
  async live(): Promise<void> {
    let number = 0;
    while (number < this.#run.requests) {
      const batch = [planRequest(this.#run, this.#client, number)];
      for (let next = number + 1; next < this.#run.requests && batch.length < PIPELINED_MAX; next += 1) {
        const plan = planRequest(this.#run, this.#client, next);
        if (plan.kind === 'upgrade' || batch.at(-1)!.kind === 'upgrade') break;
        if (!plan.isPipelined && batch.at(-1)!.kind === 'plain' && !batch.at(-1)!.isSlow) break;
        if (batch.at(-1)!.kind !== 'plain') break;
        batch.push(plan);
      }
      number += batch.length;
      await this.#connection(batch);
    }
  }

  #find(what: string, plan: RequestPlan): void {
    this.findings.push(`client ${plan.client}, request ${plan.number} (${plan.reader}; ${JSON.stringify(plan.reply)}): ${what}`);
  }

  /**
   * Sends the requests one behind the other, and checks what comes back until all are answered or the
   * connection ends.
   */
  #connection(plans: readonly RequestPlan[]): Promise<void> {
    const socket = net.connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    const reader = new ReplyReader();
    const last = plans.at(-1)!;
    let [answered, raw, pauses] = [0, '', 0];
    const fail = (error: unknown): void => {
      this.#find((error as Error).message, plans[Math.min(answered, plans.length - 1)]!);
      socket.destroy();
    };
    const take = (bytes: Buffer): void => {
      for (const reply of reader.push(bytes.toString('latin1'))) this.#check(reply, plans[answered++] ?? last);
      if (reader.isRaw) raw += reader.takeRaw();
      if (last.kind === 'upgrade' ? raw.length >= last.contentBytes && reader.isRaw : answered === plans.length) socket.end();
      if (last.isSlow && pauses < SLOW_PAUSES_MAX && !socket.destroyed) {
        pauses += 1;
        socket.pause();
        setTimeout(() => socket.resume(), SLOW_PAUSE_MS);
      }
    };
    return new Promise((resolve) => {
      socket.setTimeout(SILENCE_MAX_MS, () => {
        // An application whose patches took the reply's own memory away has broken it off.
        if (this.#isPatched || (answered === plans.length && last.kind === 'plain')) socket.destroy();
        else fail(new Error(`nothing came for ${SILENCE_MAX_MS} ms, ${answered} of ${plans.length} answered`));
      });
      socket.on('error', () => undefined);
      socket.on('data', (bytes: Buffer) => {
        try {
          take(bytes);
        } catch (error) {
          fail(error);
        }
      });
      socket.once('connect', () => void this.#send(socket, plans));
      socket.once('close', () => {
        this.#checkEnd(plans, answered, reader, raw);
        resolve();
      });
    });
  }

  async #send(socket: net.Socket, plans: readonly RequestPlan[]): Promise<void> {
    const whole = plans.map((plan) => requestText(plan)).join('');
    const broken = plans.at(-1)!.kind === 'break-off';
    const text = broken ? whole.slice(0, whole.length - Math.ceil(plans.at(-1)!.contentBytes / 2)) : whole;
    for (let at = 0; at < text.length && !socket.destroyed; at += PIECE_BYTES) {
      const isTaken = socket.write(text.slice(at, at + PIECE_BYTES), 'latin1');
      if (!isTaken) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
    }
    if (broken) socket.resetAndDestroy();
  }

  #check(reply: Reply, plan: RequestPlan): void {
    this.replies += 1;
    const { client, number } = plan;
    const foreign = foreignIn(reply.head + reply.content, client);
    if (foreign >= 0) this.#find(`the reply holds bytes of client ${foreign}`, plan);
    if (!LAYERS_STATUS.has(reply.status) || reply.fields.get('x-mark') !== cell(client, number))
      this.#find(`the head is ${JSON.stringify(reply.head)}`, plan);
    if (plan.kind !== 'upgrade')
      this.#checkContent(reply.content, plan, plan.reader === 'pipe-back' ? plan.contentBytes : plan.reply.bytes);
  }

  /**
   * Pieces that the application took away before they were sent make what follows come early: only the kinds
   * of bytes can be told then.
   */
  #checkContent(content: string, plan: RequestPlan, bytes: number): void {
    const expected = pattern(plan.client, plan.number, 0, bytes);
    if (content === expected) return;
    const wasTouched = this.#isPatched || (plan.reply.act !== null && plan.reader !== 'pipe-back');
    if (!wasTouched) {
      this.#find(`${content.length} bytes of content came, expected ${bytes}: ${difference(content, expected)}`, plan);
    } else if (content.length > bytes) {
      this.#find(`${content.length} bytes of content came, expected ${bytes} at most`, plan);
    } else {
      const strange = withoutCells(content, plan);
      if (strange !== '') this.#find(`the reply holds bytes that nobody wrote: ${JSON.stringify(strange.slice(0, 60))}`, plan);
    }
  }

  #checkEnd(plans: readonly RequestPlan[], answered: number, reader: ReplyReader, raw: string): void {
    const last = plans.at(-1)!;
    const atEnd = reader.end();
    if (atEnd !== undefined) this.#check(atEnd, plans[answered] ?? last);
    const foreign = foreignIn(reader.partial + raw, this.#client);
    if (foreign >= 0)
      this.#find(`a reply that was broken off holds bytes of client ${foreign}`, plans[Math.min(answered, plans.length - 1)]!);
    if (last.kind === 'upgrade' && answered === plans.length) this.#checkContent(raw, last, last.contentBytes);
    if (answered >= plans.length || last.kind === 'break-off') return;
    this.brokenOff += 1;
    const wasTouched = this.#isPatched || plans.some((plan) => plan.reply.act !== null);
    if (!wasTouched && atEnd === undefined)
      this.#find(`the connection ended after ${answered} of ${plans.length} replies`, plans[answered]!);
  }
}

function difference(content: string, expected: string): string {
  let at = 0;
  while (at < content.length && content[at] === expected[at]) at += 1;
  return `differs at ${at}: ${JSON.stringify(content.slice(at, at + 64))}, expected ${JSON.stringify(expected.slice(at, at + 64))}`;
}

/**
 * What is left of content when the client's cells, their cut ends, and what the application may have put
 * there are taken out.
 */
function withoutCells(content: string, plan: RequestPlan): string {
  const letters = new Set(cell(plan.client, plan.number, 0) + '0123456789abcdef');
  let strange = '';
  for (let i = 0; i < content.length && strange.length < CELL_BYTES * 4; i += 1) {
    if (!letters.has(content[i]!) && !isPutThere(content.charCodeAt(i))) strange += content[i];
  }
  return strange;
}

function requestText(plan: RequestPlan): string {
  const mark = cell(plan.client, plan.number);
  const fields = [1, 2, 3, 4].map((n) => `X-Mark-${n}: ${mark}\r\n`).join('');
  const hasContent = plan.contentBytes > 0;
  const method = plan.kind === 'upgrade' ? 'GET' : hasContent ? (plan.number % 2 === 0 ? 'POST' : 'PUT') : 'GET';
  const start = `${method} /${mark}/a?b=${mark} HTTP/1.1\r\nHost: memory.test\r\n${fields}`;
  const text = pattern(plan.client, plan.number, 0, plan.contentBytes);
  if (plan.kind === 'upgrade') return `${start}Connection: Upgrade\r\nUpgrade: echo\r\n\r\n${text}`;
  if (!hasContent) return `${start}\r\n`;
  const isJson = plan.reader === 'body-json';
  const content = isJson ? `["${text}"]` : text;
  const type = isJson ? 'application/json' : 'text/plain';
  if (!plan.isChunked) return `${start}Content-Type: ${type}\r\nContent-Length: ${content.length}\r\n\r\n${content}`;
  const trailers = plan.hasTrailers ? `X-Trailer: ${mark}\r\n` : '';
  const announced = plan.hasTrailers ? 'Trailer: X-Trailer\r\n' : '';
  return `${start}Content-Type: ${type}\r\n${announced}Transfer-Encoding: chunked\r\n\r\n${chunked(content)}0\r\n${trailers}\r\n`;
}

function chunked(content: string): string {
  const step = Math.max(1, Math.ceil(content.length / 7));
  let out = '';
  for (let at = 0; at < content.length; at += step) {
    const piece = content.slice(at, at + step);
    out += `${piece.length.toString(16)}\r\n${piece}\r\n`;
  }
  return out;
}
