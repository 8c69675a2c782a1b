import { ApiResponse, getSchemaPath, type HeadersObject } from '@nestjs/swagger';
import { type ErrorCode, errorOf } from '../errors/error-catalogue.js';
import { fieldsOf } from '../platform/http/fields/field-metadata.js';
import type { Operation } from '../platform/http/operation.js';
import { named } from '../platform/translations/translation.js';
import { ErrorResponse } from './document.response.js';

/** Every error can be an answer to one kind of operation or another; these can be answers to all. */
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

/** By kind of operation; `{noun}` is the kind of record, and what the catalogue does not know of it does not happen. */
const OF_KIND: Record<Operation['kind'], readonly string[]> = {
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
const OF_TERMS: Partial<Record<Operation['kind'], readonly ErrorCode[]>> = {
  create: ['term_exists'],
  update: ['term_exists', 'duplicate_term_slug'],
};

/** `listCategories`, `getEventBySlug` are about a category and an event. */
export function nounOf({ id }: Operation): string {
  const words = id.replace(/^(list|create|get|update|delete)/, '').replace(/BySlug$/, '');
  return words.replace(/ies$/, 'y').replace(/s$/, '').toLowerCase();
}

/** Whether the records of an operation are categories or tags, which have no drafts and no trash. */
export function isTerm(noun: string): boolean {
  return noun === 'category' || noun === 'tag';
}

/** The errors an operation may answer with, by status. */
function errorsOf(operation: Operation): Map<number, ErrorCode[]> {
  const noun = nounOf(operation);
  const own = OF_KIND[operation.kind]
    .filter((code) => !(isTerm(noun) && code.startsWith('{noun}')))
    .map((code) => code.replace('{noun}', noun))
    .filter(isErrorCode)
    .filter((code) => code !== 'rest_invalid_param' || operation.accepts !== undefined);
  const ofTerms = isTerm(noun) ? (OF_TERMS[operation.kind] ?? []) : [];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...own, ...ofTerms, ...ALWAYS]) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

export function errorDocs(operation: Operation): MethodDecorator[] {
  return [...errorsOf(operation)].map(([status, codes]) =>
    ApiResponse({
      status,
      description: codes.map((code) => `\`${code}\``).join(', '),
      ...(status === 429 ? { headers: { ...RETRY_AFTER, ...LIMIT_HEADERS } } : {}),
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(ErrorResponse) },
          examples: Object.fromEntries(codes.map((code) => [code, { value: example(code, status, operation) }])),
        },
      },
    }),
  );
}

function isErrorCode(code: string): code is ErrorCode {
  return errorOf(code) !== undefined;
}

/** Who has no right to write may be unknown, or known. */
function statusesOf(code: ErrorCode): number[] {
  return code === 'rest_forbidden' ? [401, 403] : [errorOf(code)?.status ?? 500];
}

/** What the places of messages, and `data`, look like in the examples (contract section 6). */
const PLACES: Record<string, string> = { which: 'ID 13', slug: 'music', where: 'with this parent' };
const DATA: Partial<Record<ErrorCode, object>> = {
  rest_invalid_json: { json_error_code: 4, json_error_message: 'Syntax error' },
  term_exists: { term_id: 5 },
  duplicate_term_slug: { term_id: 5 },
};

function example(code: ErrorCode, status: number, operation: Operation): object {
  const names = namesIn(code, operation);
  const places: Record<string, string> = { ...PLACES, names: names.join(', ') };
  return {
    code,
    message: errorOf(code)?.message.replace(/\{(\w+)\}/g, (place, name: string) => places[name] ?? place),
    data: { status, ...dataOf(code, names) },
    ...(code === 'term_exists' ? { additional_data: [5] } : {}),
  };
}

/** The parameters that an example complains about. */
function namesIn(code: ErrorCode, { accepts }: Operation): string[] {
  const fields = accepts === undefined ? [] : fieldsOf(accepts);
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

/** What answers say of the limit of requests, where the operator sets one (contract 5.6). */
export const LIMIT_HEADERS: HeadersObject = named('responses', 'headers', {
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

const RETRY_AFTER: HeadersObject = named('responses', 'headers', {
  'Retry-After': { description: 'the seconds to wait', schema: { type: 'integer' }, example: 1 },
});
