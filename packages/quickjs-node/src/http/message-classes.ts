/**
 * `http.IncomingMessage`, `http.OutgoingMessage` and `http.ServerResponse` as everybody sees them. Fulmar's
 * own messages inherit from them and seldom need what they do: their code (`messages.later.ts`) is loaded
 * with the first use.
 */
import Stream, { Readable } from 'node:stream';
import type * as NodeHttp from 'node:http';
import later from 'fulmar:later';
import { LateFamily } from '../shared/late-class.ts';

export const messages = new LateFamily(later.file<typeof import('./messages.later.ts')>());

export const OutgoingMessageClass = messages.define({
  name: 'OutgoingMessage',
  length: 1,
  parent: Stream,
  literal: true,
  members:
    'errored closed writableFinished writableObjectMode writableLength writableHighWaterMark writableCorked writableEnded writableNeedDrain ' +
    'connection= socket= setHeader2 setHeaders1 appendHeader2 getHeader1 getHeaderNames0 getRawHeaderNames0 getHeaders0 hasHeader1 ' +
    'removeHeader1 _renderHeaders0 addTrailers1 _implicitHeader0 headersSent write3 end3 cork0 uncork0 _send4 _writeRaw3 ' +
    '_flush0 _flushOutput1 flushHeaders0 _isLenientHeaderValidation0 _storeHeader2 setTimeout2 destroy1 _finish0 pipe0 @@rejection1',
}) as unknown as typeof NodeHttp.OutgoingMessage;

export const IncomingMessageClass = messages.define({
  name: 'IncomingMessage',
  length: 1,
  parent: Readable,
  literal: true,
  members:
    'connection= headers= headersDistinct= trailers= trailersDistinct= signal setTimeout2 _read0 _destroy2 _addHeaderLines2 ' +
    '_addHeaderLine3 _addHeaderLineDistinct3 _dumpAndCloseReadable0 _dump0',
}) as unknown as typeof NodeHttp.IncomingMessage;

export const ServerResponseClass = messages.define({
  name: 'ServerResponse',
  length: 2,
  parent: OutgoingMessageClass,
  literal: true,
  values: { statusCode: 200, statusMessage: undefined },
  members:
    'assignSocket1 detachSocket1 writeInformation3 writeContinue1 writeProcessing1 writeEarlyHints2 _implicitHeader0 writeHead3 ' +
    '_finish0 writeHeader3',
}) as unknown as typeof NodeHttp.ServerResponse;
