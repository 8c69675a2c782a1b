interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
}

/**
 * Every error of the API: its code, status and message (contract section 6).
 * The parameters of `apiError` replace `{name}` in a message.
 */
export const ERRORS = {
  rest_missing_callback_param: { status: 400, message: 'Missing parameter(s): {names}' },
  rest_invalid_param: { status: 400, message: 'Invalid parameter(s): {names}' },
  rest_invalid_json: { status: 400, message: 'Invalid JSON body passed.' },
  rest_bad_request: { status: 400, message: 'The request could not be understood.' },
  term_exists: { status: 400, message: 'A term with the name provided already exists {where}.' },
  invalid_credentials: { status: 401, message: 'The credentials are not valid.' },
  rest_forbidden: { status: 403, message: 'Sorry, you are not allowed to do that.' },
  'event-no-longer-available': { status: 403, message: 'This event is no longer available' },
  'event-password-protected': { status: 403, message: 'The requested event is not accessible without a password' },
  rest_no_route: { status: 404, message: 'No route was found matching the URL and request method.' },
  'rest-webhook-message-not-found': { status: 404, message: 'Message {which} of this webhook does not exist.' },
  rest_request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  duplicate_term_slug: { status: 409, message: 'The slug "{slug}" is already in use by another term.' },
  rest_idempotency_key_in_use: { status: 409, message: 'A request with this Idempotency-Key is still running.' },
  'webhook-limit-reached': { status: 409, message: 'There are {most} webhooks already, the most that are allowed.' },
  'changes-token-expired': { status: 410, message: 'This token has expired; start again without since.' },
  rest_precondition_failed: { status: 412, message: 'The record has changed since it was read.' },
  rest_body_too_large: { status: 413, message: 'The request body is too large.' },
  rest_uri_too_long: { status: 414, message: 'The address of the request is too long.' },
  rest_unsupported_media_type: { status: 415, message: 'The content type of the body is not supported.' },
  rest_idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was used for a different request.' },
  rest_too_many_requests: { status: 429, message: 'Too many requests.' },
  rest_headers_too_large: { status: 431, message: 'The request headers are too large.' },
  internal_server_error: { status: 500, message: 'An unexpected error occurred.' },
  service_unavailable: { status: 503, message: 'The service is temporarily unavailable.' },
} as const satisfies Record<string, CatalogueEntry>;

/** The errors of records. Their kind replaces `{noun}`: `rest-venue-not-found`. Categories and tags have the first only. */
export const RECORD_ERRORS = {
  'rest-{noun}-not-found': { status: 404, message: '{Noun} with {which} does not exist.' },
  '{noun}-not-accessible': { status: 403, message: 'The requested {noun} is not accessible' },
  '{noun}-archive-page-not-found': { status: 404, message: 'The requested {noun} archive page does not exist' },
  '{noun}-is-in-trash': { status: 410, message: 'The {noun} is already trashed' },
} as const satisfies Record<string, CatalogueEntry>;

/**
 * Codes of modules, by declaration merging: `interface ModuleErrors { room_taken: true }`. `registerErrors` gives each its
 * status and message.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- modules add the members
export interface ModuleErrors {}

const MODULE_ERRORS = new Map<string, CatalogueEntry>();

/**
 * Adds errors of a module to the catalogue, for `apiError(code)`. `{name}` in a message is replaced by the parameters of
 * `apiError`. Throws if a code is taken with another status or message.
 */
export function registerErrors(errors: Readonly<Partial<Record<keyof ModuleErrors, CatalogueEntry>>>): void {
  for (const [code, entry] of Object.entries<CatalogueEntry>(errors)) {
    const known = errorOf(code);
    const isSame = known === undefined || (known.status === entry.status && known.message === entry.message);
    if (!isSame) throw new Error(`The error code ${code} is taken.`);
    MODULE_ERRORS.set(code, entry);
  }
}

type OfNoun<Code> = Code extends `${infer Before}{noun}${infer After}` ? `${Before}${string}${After}` : never;
export type ErrorCode = keyof typeof ERRORS | OfNoun<keyof typeof RECORD_ERRORS> | keyof ModuleErrors;

/** Returns the status and the message of a code, or undefined for an unknown code. */
export function errorOf(code: string): CatalogueEntry | undefined {
  if (Object.hasOwn(ERRORS, code)) return ERRORS[code as keyof typeof ERRORS];
  for (const [form, { status, message }] of Object.entries(RECORD_ERRORS)) {
    const [, noun] = new RegExp(`^${form.replace('{noun}', '([a-z]+)')}$`).exec(code) ?? [];
    if (noun !== undefined) return { status, message: withNoun(message, noun) };
  }
  return MODULE_ERRORS.get(code);
}

function withNoun(message: string, noun: string): string {
  const capitalised = noun.charAt(0).toUpperCase() + noun.slice(1);
  return message.replace('{noun}', noun).replace('{Noun}', capitalised);
}

/** The codes of `data.details` in rest_invalid_param (contract section 6). */
export type DetailCode =
  | 'rest_invalid_type'
  | 'rest_out_of_bounds'
  | 'rest_empty'
  | 'rest_too_long'
  | 'rest_not_in_enum'
  | 'rest_invalid_date'
  | 'rest_invalid_timezone'
  | 'rest_invalid_url'
  | 'rest_invalid_email'
  | 'rest_invalid_image'
  | 'rest_unknown_reference'
  | 'rest_not_allowed'
  | 'rest_conflict';
