import type { Tracer } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** OpenTelemetry's result code of an export that was taken. */
const SUCCESS = 0;

export interface OpenTracer {
  readonly tracer: Tracer;
  /** Sends what is left; nothing is sent afterwards. */
  shutdown(): Promise<void>;
}

/**
 * A tracer that sends its spans by OTLP over HTTP, as the standard variables OTEL_* say, which the packages read
 * themselves. They are loaded only now: who wants no traces does not pay for them. `sent`: called after each attempt to
 * send.
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
    spanProcessors: [new trace.BatchSpanProcessor(watched(new OTLPTraceExporter(), sent))],
  });
  return { tracer: provider.getTracer('kalends'), shutdown: () => provider.shutdown() };
}

function watched(exporter: SpanExporter, sent: (error?: Error) => void): SpanExporter {
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
