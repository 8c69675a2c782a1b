import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A span as it was sent, with its attributes as plain values. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number;
  readonly attributes: Record<string, unknown>;
  readonly status: { readonly code?: number };
  /** Attributes of the service that sent it. */
  readonly resource: Record<string, unknown>;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly arrayValue?: { readonly values: readonly Value[] };
}
type Attributes = readonly { readonly key: string; readonly value: Value }[];

/** Accepts OTLP as JSON over HTTP, like the OpenTelemetry Collector. */
export class Collector {
  readonly spans: ReceivedSpan[] = [];
  /** All requests as text: URL, headers and body. */
  text = '';
  readonly headers: IncomingHttpHeaders[] = [];
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      this.headers.push(request.headers);
      this.text += `${request.url} ${JSON.stringify(request.headers)} ${body}\n`;
      this.spans.push(...spansOf(body));
      this.answer(response);
    });
  });

  /** `answer` sends the response to a request. */
  constructor(private readonly answer: (response: ServerResponse) => void = accept) {}

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  /** Returns the span of a request, by the request id in its response. Waits until it arrives. */
  async request(requestId: string | undefined): Promise<ReceivedSpan> {
    for (;;) {
      const found = this.spans.find(({ attributes }) => {
        const ids = attributes['http.response.header.x-request-id'];
        return Array.isArray(ids) && ids[0] === requestId;
      });
      if (found !== undefined) return found;
      await sleep(20);
    }
  }

  childrenOf({ traceId, spanId }: ReceivedSpan): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId && span.parentSpanId === spanId);
  }
}

function accept(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}

function spansOf(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: {
      resource: { attributes: Attributes };
      scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: Attributes })[] }[];
    }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({ ...span, attributes: plain(span.attributes), resource: plain(resource.attributes) })),
  );
}

function plain(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf({ stringValue, intValue, arrayValue }: Value): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(valueOf);
  return intValue === undefined ? stringValue : Number(intValue);
}
