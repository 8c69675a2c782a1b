import type { HeadersObject } from '@nestjs/swagger';
import { type ErrorCode, errorOf } from '../errors/error-catalogue.js';
import { fieldsOf } from '../platform/http/fields/field-metadata.js';
import { isWrite, type Operation } from '../platform/http/operation.js';
import { withKeys } from '../platform/translations/translation.js';
import { ErrorResponse } from './document.response.js';
import { swagger } from './libraries.js';

/** Errors that every operation may return. */
const ALWAYS: readonly ErrorCode[] = [
  'rest_bad_request',
  'invalid_credentials',
  'rest_request_timeout',
  'rest_uri_too_long',
  'rest_too_many_requests',
  'rest_headers_too_large',
  'internal_server_error',
  'service_unavailable',
];
const FIELDS: readonly ErrorCode[] = ['rest_invalid_param'];
const BODY: readonly ErrorCode[] = ['rest_invalid_json', 'rest_body_too_large', 'rest_unsupported_media_type'];
const KEY: readonly ErrorCode[] = ['rest_idempotency_key_in_use', 'rest_idempotency_key_reused'];
const RIGHT: readonly ErrorCode[] = ['rest_forbidden'];

/** Errors by kind of operation. `{noun}` is the kind of record; codes missing in the catalogue are skipped. */
const CODES_OF_KIND: Record<Operation['kind'], readonly string[]> = {
  describe: [],
  list: [...FIELDS, '{noun}-archive-page-not-found'],
  read: [
    ...FIELDS,
    '{noun}-not-accessible',
    '{noun}-no-longer-available',
    '{noun}-password-protected',
    'rest-{noun}-not-found',
  ],
  create: ['rest_missing_callback_param', ...FIELDS, ...BODY, ...KEY, ...RIGHT],
  update: [...FIELDS, ...BODY, ...KEY, ...RIGHT, 'rest-{noun}-not-found', 'rest_precondition_failed'],
  act: ['rest_missing_callback_param', ...FIELDS, ...BODY, ...KEY, ...RIGHT],
  delete: [
    ...FIELDS,
    ...BODY,
    ...KEY,
    ...RIGHT,
    'rest-{noun}-not-found',
    'rest_precondition_failed',
    '{noun}-is-in-trash',
  ],
};
const CODES_OF_TERMS: Partial<Record<Operation['kind'], readonly ErrorCode[]>> = {
  create: ['term_exists'],
  update: ['term_exists', 'duplicate_term_slug'],
};

/**
 * Returns the kind of record of an operation: `listCategories` gives `category`, `getEventBySlug` and `getEventFeed` give
 * `event`.
 */
export function nounOf({ id }: Operation): string {
  const words = id
    .replace(/^(list|create|get|update|delete)/, '')
    .replace(/BySlug$/, '')
    .replace(/^EventFeed$/, 'Event');
  return words.replace(/ies$/, 'y').replace(/s$/, '').toLowerCase();
}

/** Whether the records of an operation are categories or tags, which have no drafts and no trash. */
export function isTerm(noun: string): boolean {
  return noun === 'category' || noun === 'tag';
}

/** Returns the errors of an operation by status. */
function errorsOf(operation: Operation): Map<number, ErrorCode[]> {
  const noun = nounOf(operation);
  const own = CODES_OF_KIND[operation.kind]
    .filter((code) => !(isTerm(noun) && code.startsWith('{noun}')))
    .map((code) => code.replace('{noun}', noun))
    .filter(isErrorCode)
    .filter((code) => operation.accepts !== undefined || !isOfFields(code, operation))
    .filter((code) => !code.endsWith('-archive-page-not-found') || hasPages(operation));
  const ofTerms = isTerm(noun) ? (CODES_OF_TERMS[operation.kind] ?? []) : [];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...own, ...ofTerms, ...(operation.errors ?? []), ...ALWAYS]) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** Whether a list has numbered pages. */
function hasPages({ accepts }: Operation): boolean {
  return accepts !== undefined && fieldsOf(accepts).some(({ name }) => name === 'page');
}

export function errorDocs(operation: Operation): MethodDecorator[] {
  return [...errorsOf(operation)].map(([status, codes]) =>
    swagger().ApiResponse({
      status,
      description: codes.map((code) => `\`${code}\``).join(', '),
      ...(status === 429 ? { headers: { ...RETRY_AFTER, ...LIMIT_HEADERS } } : {}),
      content: {
        'application/json': {
          schema: { $ref: swagger().getSchemaPath(ErrorResponse) },
          examples: Object.fromEntries(codes.map((code) => [code, { value: example(code, status, operation) }])),
        },
      },
    }),
  );
}

/** Whether only operations that accept parameters have an error. Each write accepts an Idempotency-Key, which may be wrong. */
function isOfFields(code: ErrorCode, operation: Operation): boolean {
  return code === 'rest_missing_callback_param' || (code === 'rest_invalid_param' && !isWrite(operation));
}

function isErrorCode(code: string): code is ErrorCode {
  return errorOf(code) !== undefined;
}

/** Returns the statuses of an error. `rest_forbidden` is 401 for anonymous callers and 403 for others. */
function statusesOf(code: ErrorCode): number[] {
  return code === 'rest_forbidden' ? [401, 403] : [errorOf(code)?.status ?? 500];
}

/** Example values of the placeholders in messages, and of `data` (contract section 6). */
const PLACEHOLDERS: Record<string, string> = {
  which: 'ID 13',
  slug: 'music',
  where: 'with this parent',
  most: '50',
};
const DATA: Partial<Record<ErrorCode, object>> = {
  rest_invalid_json: { json_error_code: 4, json_error_message: 'Syntax error' },
  term_exists: { term_id: 5 },
  duplicate_term_slug: { term_id: 5 },
  'changes-token-expired': { reason: 'age' },
};

function example(code: ErrorCode, status: number, operation: Operation): object {
  const names = namesIn(code, operation);
  const placeholders: Record<string, string> = { ...PLACEHOLDERS, names: names.join(', ') };
  return {
    code,
    message: errorOf(code)?.message.replace(/\{(\w+)\}/g, (place, name: string) => placeholders[name] ?? place),
    data: { status, ...dataOf(code, names) },
    ...(code === 'term_exists' ? { additional_data: [5] } : {}),
  };
}

/** Returns the parameters that an example reports. */
function namesIn(code: ErrorCode, { accepts }: Operation): string[] {
  if (accepts === undefined) return code === 'rest_invalid_param' ? ['Idempotency-Key'] : [];
  const fields = fieldsOf(accepts);
  const named = code === 'rest_missing_callback_param' ? fields.filter(({ required }) => required) : fields.slice(0, 1);
  return named.map(({ name }) => name);
}

function dataOf(code: ErrorCode, names: readonly string[]): object {
  if (code === 'rest_missing_callback_param') return { params: names };
  if (code !== 'rest_invalid_param') return DATA[code] ?? {};
  const texts = names.map((name) => [name, `${name} must not be empty.`] as const);
  return {
    params: Object.fromEntries(texts),
    details: Object.fromEntries(texts.map(([name, message]) => [name, { code: 'rest_empty', message, data: null }])),
  };
}

const TEXT = { type: 'string' } as const;

/** The headers of the rate limit, sent if RATE_LIMIT is set (contract 5.6). */
export const LIMIT_HEADERS: HeadersObject = withKeys('responses', 'headers', {
  'RateLimit-Policy': {
    description: 'where requests are limited: how many (`q`) within how many seconds (`w`)',
    schema: TEXT,
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    description:
      'where requests are limited: how many are left (`r`), and after how many seconds counting begins anew (`t`)',
    schema: TEXT,
    example: '"default";r=599;t=60',
  },
});

const RETRY_AFTER: HeadersObject = withKeys('responses', 'headers', {
  'Retry-After': { description: 'the seconds to wait', schema: { type: 'integer' }, example: 1 },
});
