// Tracing, loaded before everything else: with `--require`, or by the application's first line.
'use strict';

const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-node');

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();

registerInstrumentations({
  instrumentations: [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: (request) => request.url.startsWith('/debug/'),
      headersToSpanAttributes: {
        server: { requestHeaders: ['X-Client', 'Accept'], responseHeaders: ['Content-Type', 'X-Handled-By', 'ETag'] },
        client: { requestHeaders: ['traceparent-seen'], responseHeaders: ['X-Stock'] },
      },
      startIncomingSpanHook: (request) => ({ 'app.method': request.method, 'app.fields': request.rawHeaders.length > 0 }),
      requestHook: (span, request) => span.setAttribute('app.request', request.constructor.name),
      responseHook: (span, response) => span.setAttribute('app.response', response.constructor.name),
      applyCustomAttributesOnSpan: (span, request, response) => span.setAttribute('app.status', response.statusCode ?? 0),
    }),
    new ExpressInstrumentation({
      requestHook: (span, info) => span.setAttribute('app.layer', `${info.layerType} ${info.route}`),
      spanNameHook: (info, name) => (info.layerType === 'request_handler' ? `${name} *` : name),
    }),
  ],
});

/** The spans that have ended since the last call. */
exports.takeSpans = () => {
  const spans = exporter.getFinishedSpans();
  exporter.reset();
  return spans.map((span) => ({
    id: span.spanContext().spanId,
    trace: span.spanContext().traceId,
    parent: span.parentSpanContext?.spanId ?? null,
    isRemote: span.parentSpanContext?.isRemote ?? false,
    name: span.name,
    kind: span.kind,
    status: span.status,
    attributes: span.attributes,
    events: span.events.map(({ name, attributes }) => ({ name, attributes })),
    scope: span.instrumentationScope.name,
    start: span.startTime,
  }));
};
