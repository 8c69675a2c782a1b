import type { Type } from '@nestjs/common';
import type { HeadersObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { isWrite, type Operation } from '../platform/http/operation.js';
import { withKeys } from '../platform/translations/translation.js';
import { isTerm, nounOf, LIMIT_HEADERS } from './error-docs.js';
import { swagger } from './libraries.js';

const SUCCESS: Record<Operation['kind'], string> = {
  list: 'a page of the collection',
  create: 'the new record',
  read: 'the record',
  update: 'the record as it is now',
  delete: 'the record in its last state; deleted for good: the same under `previous`',
  describe: 'the description',
  act: 'what has come of it',
};
for (const [kind, text] of Object.entries(SUCCESS)) withKeys('responses', `success.${kind}`, text);
const FILE = withKeys('responses', 'success.file', 'the calendar file');
const REUSED = withKeys(
  'responses',
  'headers.X-Kalends-Reused',
  'true: nothing was made; the answer is an equal record that was there already',
);
const TEXT = { type: 'string' } as const;
const WRITE_HEADERS: HeadersObject = withKeys('responses', 'headers', {
  'Idempotent-Replayed': {
    description: 'true: nothing was done; the answer is that of an earlier request with the same Idempotency-Key',
    schema: TEXT,
  },
  'X-Kalends-Ignored': {
    description: 'the members of the body that are no fields here, if there are any: nothing was done with them',
    schema: TEXT,
    example: 'content, venue_id',
  },
});
const ETAG = withKeys('responses', 'headers.ETag', { description: 'names this state of the answer', schema: TEXT });
const LOCATION = withKeys('responses', 'headers.Location', { description: 'the address of the record', schema: TEXT });
const NOT_MODIFIED = withKeys('responses', 'not-modified', 'the client has this answer already (If-None-Match)');

/** Returns decorators for the successful responses of an operation. */
export function successDocs(operation: Operation): MethodDecorator[] {
  const { kind, mediaType } = operation;
  const status = operation.status ?? (kind === 'create' ? 201 : 200);
  const description = mediaType === undefined ? SUCCESS[kind] : FILE;
  const described = { status, description, ...contentOf(operation), headers: headersOf(operation) };
  const reads = kind === 'list' || kind === 'read' || kind === 'describe';
  const models = operation.answers === undefined ? [] : [swagger().ApiExtraModels(operation.answers)];
  const unchanged = reads ? [swagger().ApiResponse({ status: 304, description: NOT_MODIFIED })] : [];
  return [...models, swagger().ApiResponse(described), ...unchanged];
}

function contentOf({ id, kind, answers, hasPage, mediaType }: Operation) {
  if (mediaType !== undefined) return { content: { [mediaType]: { schema: TEXT } } };
  const collection = id.replace(/^list/, '').toLowerCase();
  if (answers === undefined) return { content: json({ type: 'object' }) };
  if (kind === 'list' && !isPage(answers)) return { content: json(pageOf(answers, collection)) };
  if (kind === 'delete')
    return { content: json({ oneOf: [{ $ref: swagger().getSchemaPath(answers) }, deleted(answers)] }) };
  if (hasPage)
    return { content: { ...json({ $ref: swagger().getSchemaPath(answers) }), 'text/html': { schema: TEXT } } };
  return { type: answers };
}

/** Whether a class describes the envelope instead of its records. */
function isPage(answers: Type<object>): boolean {
  const names = (Reflect.getMetadata(swagger().DECORATORS.API_MODEL_PROPERTIES_ARRAY, answers.prototype as object) ??
    []) as string[];
  return names.includes(':total_pages') || names.includes(':has_more');
}

/** Returns the schema of an envelope around the records of a class (contract 9.1). */
function pageOf(answers: Type<object>, collection: string): SchemaObject {
  const url = (description: string, page: number): SchemaObject => ({
    type: 'string',
    description,
    example: `https://example.com/calendar/events/v1/${collection}/?page=${page}&per_page=10`,
  });
  const count = (description: string, example: number): SchemaObject => ({ type: 'integer', description, example });
  const ofPage = withKeys('responses', 'Page', {
    rest_url: url('the address of this page, with every filter in effect', 2),
    total: count('how many records match', 23),
    total_pages: count('how many pages there are', 3),
  });
  const neighbours = withKeys('responses', 'Page', {
    next_rest_url: url('the address of the next page, if there is one', 3),
    previous_rest_url: url('the address of the previous page, if there is one', 1),
  });
  const records: SchemaObject = { type: 'array', items: { $ref: swagger().getSchemaPath(answers) } };
  return {
    type: 'object',
    properties: { ...ofPage, [collection]: records, ...neighbours },
    required: ['rest_url', 'total', 'total_pages', collection],
  };
}

function json(schema: SchemaObject | ReferenceObject) {
  return { 'application/json': { schema } };
}

function deleted(answers: Type<object>): SchemaObject {
  return {
    type: 'object',
    properties: { deleted: { type: 'boolean', enum: [true] }, previous: { $ref: swagger().getSchemaPath(answers) } },
    required: ['deleted', 'previous'],
  };
}

function headersOf(operation: Operation): HeadersObject {
  const { kind } = operation;
  return {
    ...(kind === 'delete' ? {} : { ETag: ETAG }),
    ...(kind === 'create' ? { Location: LOCATION } : {}),
    ...(mayReuse(operation) ? { 'X-Kalends-Reused': { description: REUSED, schema: TEXT } } : {}),
    ...(isWrite(operation) ? WRITE_HEADERS : {}),
    ...LIMIT_HEADERS,
  };
}

/** Whether a create may return an existing record: venues and organizers are not duplicated (contract 11.3). */
function mayReuse(operation: Operation): boolean {
  const noun = nounOf(operation);
  return operation.kind === 'create' && noun !== 'event' && !isTerm(noun);
}
