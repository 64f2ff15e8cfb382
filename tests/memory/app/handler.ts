/**
 * One request of a run: looks at its head, reads its content in the planned way, replies in the planned way.
 * The layers differ in who calls this and in their own ways to reply.
 */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'fulmar/http';
import type { Duplex } from 'node:stream';
import { cell } from '../harness/marks.ts';
import { PATCHES, planRequest, type RequestPlan, type RunPlan } from '../harness/plan.ts';
import { act } from './acts.ts';
import { checkContent, checkHead, checkMemory, checkReplyObject, count, find, findings, foreignText, keepRequest } from './evidence.ts';
import { textOf } from './native-parts.ts';
import { pipeBack, readContent } from './readers.ts';
import { actOnReply, give, replyBody } from './replies.ts';
import { walk } from './walk.ts';

const SERVERS_MAX = 6;
const HEADS_COUNT_FIRST = 2000;
/** What `pipe-back` may do: the reply is the content. */
const HARMLESS = new Set(['keep', 'widen', 'keep-buffer']);

/** A layer's own way to reply; false: it has none. */
export type LayerReply = (body: Uint8Array | string) => boolean;

export class Handler {
  readonly #run: RunPlan;
  readonly #server: () => Server;
  readonly #isPatched: boolean;
  #reserved = 0;

  constructor(run: RunPlan, server: () => Server) {
    this.#run = run;
    this.#server = server;
    this.#isPatched = run.mutations.some((mutation) => (PATCHES as readonly string[]).includes(mutation));
  }

  /** The plan that the target names; undefined for targets of the test's own. */
  plan(req: IncomingMessage): RequestPlan | undefined {
    const found = /^\/M(\d\d):([0-9a-f]{3}):/.exec(req.url ?? '');
    return found === null ? undefined : planRequest(this.#run, Number(found[1]), Number.parseInt(found[2]!, 16));
  }

  /**
   * Answers a target that no client has asked for: what was sent was damaged on its way, unless it is the
   * test's own.
   */
  isEnd(req: IncomingMessage, res: ServerResponse): boolean {
    if (req.url === '/end') return true;
    find(`the target ${JSON.stringify(req.url)} is nobody's`);
    res.destroy();
    return false;
  }

  /** All of a request; `body` is what a body parser has made of the content. */
  async handle(req: IncomingMessage, res: ServerResponse, plan: RequestPlan, layer: LayerReply = () => false): Promise<void> {
    this.#begin(req, res, plan);
    if (plan.reader === 'pipe-back') {
      const harmless = { ...plan, acts: plan.acts.filter((one) => HARMLESS.has(one)) };
      pipeBack(req, res, this.#taker(harmless));
      return;
    }
    const isBody = plan.reader.startsWith('body-');
    if (plan.reply.isEarly && !isBody) this.#reply(res, plan, layer);
    if (isBody) this.#checkBody(req, plan);
    else await this.#read(req, res, plan);
    if (!plan.reply.isEarly || isBody) this.#reply(res, plan, layer);
  }

  /** Answers with an echo of what is sent, until all of it came. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer, plan: RequestPlan): void {
    socket.on('error', () => undefined);
    const mark = cell(plan.client, plan.number);
    if (!plan.isLate) checkHead('upgrade', req, plan, mark);
    keepRequest(() => checkHead('upgraded request, kept', req, plan, mark));
    if (plan.walks) walk('upgraded socket', socket, plan);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-Mark: ${mark}\r\n\r\n`);
    let at = 0;
    const echo = (chunk: Uint8Array): void => {
      const copy = new Uint8Array(chunk);
      const from = at;
      at += chunk.length;
      act(chunk, plan, from);
      socket.write(copy);
      actOnReply(copy, plan.reply.act);
      if (at === plan.contentBytes) socket.end();
    };
    if (head.length > 0) echo(head);
    socket.on('data', echo);
    socket.on('end', () => socket.end());
    count('upgrades');
  }

  #begin(req: IncomingMessage, res: ServerResponse, plan: RequestPlan): void {
    const mark = cell(plan.client, plan.number);
    if (plan.reserves && this.#reserved < SERVERS_MAX) this.#reserve();
    if (plan.setsHeadersCount) this.#server().maxHeadersCount = HEADS_COUNT_FIRST + plan.number * 500;
    if (!plan.isLate) checkHead('request', req, plan, mark);
    res.on('error', () => undefined);
    req.on('error', () => undefined);
    res.statusCode = 200;
    res.statusMessage = mark;
    res.setHeader('X-Mark', mark);
    keepRequest(() => {
      checkHead('kept request', req, plan, mark);
      checkReplyObject('kept response', res, plan);
    });
    if (plan.walks) this.#walk(req, res, plan);
  }

  /** Other servers with other limits change the engine's memory while requests are open. */
  #reserve(): void {
    this.#reserved += 1;
    const other = http.createServer({ maxHeaderSize: 16 * 1024 + this.#reserved * 24 * 1024 }, (_req, res) => res.end());
    other.listen(0, '127.0.0.1', () => other.close());
    count('reserve');
  }

  #walk(req: IncomingMessage, res: ServerResponse, plan: RequestPlan): void {
    walk('req', req, plan);
    walk('res', res, plan);
    walk('socket', req.socket, plan);
  }

  #taker(plan: RequestPlan): (chunk: Uint8Array) => void {
    let at = 0;
    return (chunk) => {
      const from = at;
      at += chunk.length;
      act(chunk, plan, from);
    };
  }

  async #read(req: IncomingMessage, res: ServerResponse, plan: RequestPlan): Promise<void> {
    if (plan.reader === 'none') return;
    let bytes = 0;
    const take = this.#taker(plan);
    await readContent(req, res, plan, (chunk) => {
      bytes += chunk.length;
      take(chunk);
    });
    if (plan.reply.isEarly || plan.kind !== 'plain') return;
    if (req.complete && bytes !== plan.contentBytes && !this.#isPatched) {
      find(`content: client ${plan.client}, request ${plan.number} sent ${plan.contentBytes} bytes, ${bytes} came by ${plan.reader}`);
    }
    if (plan.hasTrailers && req.complete) this.#checkTrailers(req, plan);
  }

  #checkTrailers(req: IncomingMessage, plan: RequestPlan): void {
    const text = JSON.stringify([req.rawTrailers, req.trailers]);
    const mark = cell(plan.client, plan.number);
    const foreign = foreignText(text, plan);
    if (foreign !== undefined || req.trailers['x-trailer'] !== mark)
      find(`trailers: client ${plan.client}, request ${plan.number} by ${plan.reader}: ${text} ${foreign ?? ''}`);
    count('trailers');
  }

  #checkBody(req: IncomingMessage, plan: RequestPlan): void {
    const { body } = req as IncomingMessage & { body: unknown };
    count(plan.reader);
    if (body instanceof Uint8Array) {
      if (plan.acts.includes('widen')) checkMemory('req.body.buffer', body.buffer, plan);
      act(body, plan, 0);
      return;
    }
    const text = typeof body === 'string' ? body : Array.isArray(body) ? String(body[0]) : '';
    const bytes = plan.contentBytes;
    if (text.length !== bytes && !this.#isPatched) find(`body: client ${plan.client} sent ${bytes} bytes, ${text.length} came`);
    checkContent('body', text, plan, 0);
  }

  #reply(res: ServerResponse, plan: RequestPlan, layer: LayerReply): void {
    if (res.destroyed) return;
    const body = replyBody(plan);
    if (foreignText(typeof body === 'string' ? body : textOf(body), plan) !== undefined) find('reply: memory of the application changed');
    if (plan.reply.act === null && plan.number % 2 === 0) res.setHeader('Content-Length', body.length);
    const touch = (): void => actOnReply(body, plan.reply.act);
    const isAtOnce = plan.number % 4 < 2;
    if (plan.reply.way === 'layer' && layer(body)) setImmediate(touch);
    else give(res, plan, body, () => (isAtOnce ? touch() : void setImmediate(touch)));
    count('replies');
  }
}

/** What was found, and how much was done. */
export function report(counts: Readonly<Record<string, number>>): string {
  return JSON.stringify({ findings, counts });
}
