/** The address by which a request came: links begin with it (contract section 1). */
export interface Root {
  /** Scheme, host and gateway prefix, without trailing slash: `https://example.com/site`. */
  readonly origin: string;
  /** Language prefix and mount: `/de/calendar/events/v1`. */
  readonly mount: string;
  /** The language the answer's descriptions are in. */
  readonly language: string;
  /** Whether answers under this host may be cached by others (contract 5.2). */
  readonly cacheable: boolean;
}

export function rootUrl(root: Root): string {
  return root.origin + root.mount;
}
