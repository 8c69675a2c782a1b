import type { Tracer } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** OpenTelemetry's result code of a successful export. */
const SUCCESS = 0;

export interface OpenTracer {
  readonly tracer: Tracer;
  /** Sends the remaining spans and stops. */
  shutdown(): Promise<void>;
}

/**
 * Opens a tracer that exports spans by OTLP over HTTP. The packages read the standard variables OTEL_* themselves.
 * Imports them only here, so that processes without traces do not load them. `sent`: called after each export.
 */
export async function openTracer(sent: (error?: Error) => void): Promise<OpenTracer> {
  const [trace, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const { envDetector, serviceInstanceIdDetector } = resources;
  const given = resources.detectResources({ detectors: [serviceInstanceIdDetector, envDetector] });
  const provider = new trace.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': 'kalends' }).merge(given),
    spanProcessors: [new trace.BatchSpanProcessor(withCallback(new OTLPTraceExporter(), sent))],
  });
  return { tracer: provider.getTracer('kalends'), shutdown: () => provider.shutdown() };
}

function withCallback(exporter: SpanExporter, sent: (error?: Error) => void): SpanExporter {
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        sent(Number(result.code) === SUCCESS ? undefined : (result.error ?? new Error('not taken')));
        done(result);
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
