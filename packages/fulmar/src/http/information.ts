/**
 * Interim replies: 100, 102, 103 and whatever `writeInformation` is given. Checks as Node's; the engine
 * writes them.
 */
import type { Exchange } from '../exchange/types.ts';
import { headersSent } from './errors.ts';
import { nodeHttp, nodeMethod } from './node-http.ts';
import type { DoneCallback, ResponseState } from './response-state.ts';

const parent = nodeHttp.ServerResponse.prototype;
const foreign = {
  writeContinue: nodeMethod(parent, 'writeContinue'),
  writeProcessing: nodeMethod(parent, 'writeProcessing'),
  writeEarlyHints: nodeMethod(parent, 'writeEarlyHints'),
};
const writesInformation = 'writeInformation' in parent;

const STATUS_LINE = /^HTTP\/1\.1 (\d+) [^\r]*\r\n/;

/** Older Nodes check only `link` of early hints: other values could add lines. */
function checkHints(hints: unknown): void {
  if (hints === null || typeof hints !== 'object') return;
  for (const [name, value] of Object.entries(hints)) {
    if (name === 'link') continue;
    nodeHttp.validateHeaderName(name);
    for (const one of Array.isArray(value) ? value : [value]) nodeHttp.validateHeaderValue(name, one as string);
  }
}

/**
 * Sends what Node's own method would write. Node checks arguments and builds the text on a stand-in for the
 * response; the text is taken apart again into status and block. Rare enough to pay for exactness.
 */
function sendThroughNode(res: ResponseState, method: (this: unknown, ...args: unknown[]) => unknown, args: unknown[]): boolean {
  if (res._block !== null) throw headersSent('write');
  const exchange = res._exchange as Exchange;
  const standIn = Object.create(parent, {
    _header: { value: null, writable: true },
    _writeRaw: {
      value(text: string): boolean {
        const head = STATUS_LINE.exec(text);
        if (head !== null) exchange.sendInterim(Number(head[1]), text.slice(head[0].length, -2));
        return true;
      },
    },
    _isLenientHeaderValidation: { value: () => false },
  }) as object;
  method.call(standIn, ...args);
  return true;
}

function callLater(callback: unknown): void {
  if (typeof callback === 'function') process.nextTick(callback as DoneCallback, null);
}

const members = {
  writeContinue(this: ResponseState, callback?: unknown): unknown {
    if (this._exchange === undefined) return foreign.writeContinue.call(this, callback);
    if (this._block !== null && writesInformation) throw headersSent('write');
    this._exchange.sendInterim(100, '');
    this._sent100 = true;
    callLater(callback);
    return undefined;
  },
  writeProcessing(this: ResponseState, callback?: unknown): unknown {
    if (this._exchange === undefined) return foreign.writeProcessing.call(this, callback);
    if (this._block !== null && writesInformation) throw headersSent('write');
    this._exchange.sendInterim(102, '');
    callLater(callback);
    return undefined;
  },
  writeEarlyHints(this: ResponseState, hints: unknown, callback?: unknown): unknown {
    if (this._exchange === undefined) return foreign.writeEarlyHints.call(this, hints, callback);
    checkHints(hints);
    sendThroughNode(this, foreign.writeEarlyHints, [hints]);
    callLater(callback);
    return undefined;
  },
};

const newer = writesInformation
  ? {
      writeInformation(this: ResponseState, status: unknown, headers?: unknown, callback?: unknown): unknown {
        const method = nodeMethod(parent, 'writeInformation');
        if (this._exchange === undefined) return method.call(this, status, headers, callback);
        const sent = sendThroughNode(this, method, [status, headers]);
        callLater(callback);
        return sent;
      },
    }
  : {};

export const informationMembers = { ...members, ...newer };
