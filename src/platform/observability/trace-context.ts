const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The trace that a request is part of, by its `traceparent` (W3C Trace Context); {} where it has none that is valid. */
export function traceOf(traceparent: string | string[] | undefined): { traceId?: string; parentId?: string } {
  const [, traceId, parentId, rest] = TRACEPARENT.exec(String(traceparent)) ?? [];
  // Version 00 has nothing behind the flags.
  if (traceId === undefined || (String(traceparent).startsWith('00') && rest !== undefined)) return {};
  return { traceId, parentId };
}
