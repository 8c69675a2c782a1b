/**
 * Every error of the interface: its code, status and text (contract section 6).
 * `{name}` in a text is filled from the parameters of `apiError`.
 */
export const ERRORS = {
  rest_missing_callback_param: { status: 400, message: 'Missing parameter(s): {names}' },
  rest_invalid_param: { status: 400, message: 'Invalid parameter(s): {names}' },
  rest_invalid_json: { status: 400, message: 'Invalid JSON body passed.' },
  rest_bad_request: { status: 400, message: 'The request could not be read.' },
  term_exists: { status: 400, message: 'A term with the name provided already exists {where}.' },
  invalid_credentials: { status: 401, message: 'The credentials are not valid.' },
  rest_forbidden: { status: 403, message: 'Sorry, you are not allowed to do that.' },
  'event-not-accessible': { status: 403, message: 'The requested event is not accessible' },
  'venue-not-accessible': { status: 403, message: 'The requested venue is not accessible' },
  'organizer-not-accessible': { status: 403, message: 'The requested organizer is not accessible' },
  'event-no-longer-available': { status: 403, message: 'This event is no longer available' },
  'event-password-protected': { status: 403, message: 'The requested event is not accessible without a password' },
  rest_no_route: { status: 404, message: 'No route was found matching the URL and request method.' },
  'rest-event-not-found': { status: 404, message: 'Event with {which} does not exist.' },
  'rest-venue-not-found': { status: 404, message: 'Venue with {which} does not exist.' },
  'rest-organizer-not-found': { status: 404, message: 'Organizer with {which} does not exist.' },
  'rest-category-not-found': { status: 404, message: 'Category with {which} does not exist.' },
  'rest-tag-not-found': { status: 404, message: 'Tag with {which} does not exist.' },
  'event-archive-page-not-found': { status: 404, message: 'The requested event archive page does not exist' },
  'venue-archive-page-not-found': { status: 404, message: 'The requested venue archive page does not exist' },
  'organizer-archive-page-not-found': { status: 404, message: 'The requested organizer archive page does not exist' },
  rest_request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  duplicate_term_slug: { status: 409, message: 'The slug "{slug}" is already in use by another term.' },
  rest_idempotency_key_in_use: { status: 409, message: 'A request with this Idempotency-Key is still running.' },
  'event-is-in-trash': { status: 410, message: 'The event is already trashed' },
  'venue-is-in-trash': { status: 410, message: 'The venue is already trashed' },
  'organizer-is-in-trash': { status: 410, message: 'The organizer is already trashed' },
  rest_precondition_failed: { status: 412, message: 'The record has changed since it was read.' },
  rest_body_too_large: { status: 413, message: 'The request body is too large.' },
  rest_uri_too_long: { status: 414, message: 'The address of the request is too long.' },
  rest_unsupported_media_type: { status: 415, message: 'The content type of the body is not supported.' },
  rest_idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was used for a different request.' },
  rest_too_many_requests: { status: 429, message: 'Too many requests.' },
  rest_headers_too_large: { status: 431, message: 'The headers of the request are too large.' },
  internal_server_error: { status: 500, message: 'An unexpected error occurred.' },
  service_unavailable: { status: 503, message: 'The service is temporarily unavailable.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

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
