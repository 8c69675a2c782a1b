const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The client's span that a request belongs to. */
interface ParentSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Bit 0: sampled. */
  readonly traceFlags: number;
  readonly isRemote: true;
}

/** Parses `traceparent` (W3C Trace Context). Returns undefined if it is missing or invalid. */
export function parentSpan(traceparent: string | string[] | undefined): ParentSpan | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(String(traceparent)) ?? [];
  // Version 00 allows nothing after the flags.
  if (version === undefined || (version === '00' && rest !== undefined)) return undefined;
  return { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true };
}

/** Returns the trace ids of a request for the log; {} without a valid `traceparent`. */
export function traceOf(traceparent: string | string[] | undefined): { traceId?: string; parentId?: string } {
  const parent = parentSpan(traceparent);
  return parent === undefined ? {} : { traceId: parent.traceId, parentId: parent.spanId };
}
