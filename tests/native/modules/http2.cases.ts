import http2 from 'node:http2';
import { cases } from '../harness/cases.ts';

const reason = 'the engine speaks HTTP/1.1';
const { constants } = http2 as unknown as { constants: Record<string, unknown> };

export default cases(
  'http2',
  {
    constants: [
      () =>
        ['HTTP2_HEADER_CONTENT_TYPE', 'HTTP2_HEADER_STATUS', 'HTTP2_METHOD_GET', 'HTTP_STATUS_NOT_FOUND', 'NGHTTP2_CANCEL'].map(
          (name) => constants[name],
        ),
      () =>
        ['HTTP2_METHOD_VERSION_CONTROL', 'HTTP2_HEADER_X_CONTENT_TYPE_OPTIONS', 'MAX_INITIAL_WINDOW_SIZE'].map((name) => constants[name]),
    ],
    sensitiveHeaders: [() => String(http2.sensitiveHeaders)],
    connect: [() => typeof http2.connect('http://127.0.0.1:1').close],
    createServer: [() => typeof http2.createServer()],
    createSecureServer: [() => typeof http2.createSecureServer()],
    getDefaultSettings: [() => typeof http2.getDefaultSettings()],
    getPackedSettings: [() => typeof http2.getPackedSettings({})],
    getUnpackedSettings: [() => typeof http2.getUnpackedSettings(Buffer.alloc(0))],
    performServerHandshake: [() => typeof http2.performServerHandshake({} as never)],
    Http2ServerRequest: [() => typeof new (http2.Http2ServerRequest as unknown as new () => object)()],
    Http2ServerResponse: [() => typeof new (http2.Http2ServerResponse as unknown as new () => object)()],
  },
  {
    missing: Object.fromEntries(
      [
        'connect',
        'createServer',
        'createSecureServer',
        'getDefaultSettings',
        'getPackedSettings',
        'getUnpackedSettings',
        'performServerHandshake',
        'Http2ServerRequest',
        'Http2ServerResponse',
      ].map((name) => [name, reason]),
    ),
  },
);
