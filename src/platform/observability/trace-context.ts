const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The span of somebody else that a request belongs to. */
interface CallingSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Bit 0: sampled. */
  readonly traceFlags: number;
  readonly isRemote: true;
}

/** What called us, by its `traceparent` (W3C Trace Context); undefined where it is missing or not valid. */
export function callingSpan(traceparent: string | string[] | undefined): CallingSpan | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(String(traceparent)) ?? [];
  // Version 00 has nothing behind the flags.
  if (version === undefined || (version === '00' && rest !== undefined)) return undefined;
  return { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true };
}

/** The trace that a request is part of, for the log; {} where it has none that is valid. */
export function traceOf(traceparent: string | string[] | undefined): { traceId?: string; parentId?: string } {
  const calling = callingSpan(traceparent);
  return calling === undefined ? {} : { traceId: calling.traceId, parentId: calling.spanId };
}
