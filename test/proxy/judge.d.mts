/** What Prism has against a request or an answer. */
export interface Violation {
  readonly message: string;
  readonly code?: string | number;
  readonly path?: readonly string[];
}

/** One request with its answer, as Prism carried it. */
export interface Exchange {
  readonly root: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly path: string; readonly query: Readonly<Record<string, unknown>> };
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  /** Where there is no answer. */
  readonly error?: { readonly message: string; readonly detail: string };
  readonly output?: { readonly statusCode: number; readonly body?: unknown };
  readonly validations?: { readonly input: readonly Violation[]; readonly output: readonly Violation[] };
}

export function judge(exchange: Exchange): {
  readonly violations: readonly (Violation & { readonly part: 'answer' | 'request' | 'proxy' })[];
  /** How many values had a further form. */
  readonly forms: number;
};
