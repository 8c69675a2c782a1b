import type { SchemaObject } from '@nestjs/swagger';
import { type Field, type FieldForm, fieldsOf } from '../platform/http/fields/field-metadata.js';
import { isWrite, type Operation } from '../platform/http/operation.js';
import { withKeys } from '../platform/translations/translation.js';
import { swagger } from './libraries.js';

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded'];

const MESSAGE_ID = 'msg_9f3c0a7e_12_8673';
const PATH_PARAMETERS = [
  { name: 'id', description: 'the id of the record', schema: { type: 'integer', example: 12 } },
  { name: 'message', description: 'the webhook-id of the message', schema: { type: 'string', example: MESSAGE_ID } },
  { name: 'slug', description: 'the slug of the record', schema: { type: 'string', example: 'jazz-wine' } },
] as const;

const SPARSE = withKeys('requests', '_fields', 'only these members, as dotted paths: id,title,venue.city');
const IDEMPOTENCY_KEY = withKeys(
  'requests',
  'Idempotency-Key',
  'a text of your choice; sent again within 24 hours, the request gets the answer of the first one ' +
    'and nothing is written twice',
);
const IF_MATCH = withKeys(
  'requests',
  'If-Match',
  'the ETag the record was read with; if the record has changed since, nothing is written',
);

/** Whether the fields of an operation are sent in a body. */
function writes({ kind }: Operation): boolean {
  return kind === 'create' || kind === 'update' || kind === 'act';
}

/** Returns decorators for path parameters, query parameters and headers. */
export function parameterDocs(operation: Operation, path: string): MethodDecorator[] {
  const placeholders = PATH_PARAMETERS.filter(({ name }) => path.includes(`:${name}`));
  const fields = writes(operation) ? [] : ownFields(operation);
  return [
    ...placeholders.map((parameter) => swagger().ApiParam({ ...parameter, required: true })),
    ...fields.map((field) => query(field.name, field.description, schemaOf(field), field.example)),
    ...((operation.kind === 'list' || operation.kind === 'read') && operation.mediaType === undefined
      ? [query('_fields', SPARSE, sparseSchema(), ['id', 'title'])]
      : []),
    ...(operation.kind === 'update' || operation.kind === 'delete'
      ? [header('If-Match', IF_MATCH, '"3-V1StGXR8Z5jdHi6B"', {})]
      : []),
    ...(isWrite(operation)
      ? [header('Idempotency-Key', IDEMPOTENCY_KEY, 'order-4711', { minLength: 1, maxLength: 255 })]
      : []),
  ];
}

/** Returns decorators for the body of a write: JSON or a form. */
export function bodyDocs(operation: Operation): MethodDecorator[] {
  if (!writes(operation) || (operation.kind === 'act' && operation.accepts === undefined)) return [];
  const creates = operation.kind !== 'update';
  const examples = operation.examples === undefined ? {} : { examples: { ...operation.examples } };
  return [
    swagger().ApiConsumes(...BODY_TYPES),
    swagger().ApiBody({ required: creates, schema: recordSchema(ownFields(operation), creates), ...examples }),
  ];
}

/** Returns the schema of a record in a body. */
function recordSchema(fields: readonly Field[], creates: boolean): SchemaObject {
  const required = fields.filter((field) => creates && field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, bodySchema(field)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function ownFields({ accepts }: Operation): readonly Field[] {
  return accepts === undefined ? [] : fieldsOf(accepts);
}

function query(name: string, description: string, schema: object, example: unknown): MethodDecorator {
  return swagger().ApiQuery(parameter(name, description, schema, example));
}

/** Returns a query parameter as the document contains it. */
export function queryParameter(field: Field) {
  return { ...parameter(field.name, field.description, schemaOf(field), field.example), in: 'query' };
}

function parameter(name: string, description: string, schema: object, example: unknown) {
  return { name, description, required: false, schema: { ...schema, example }, ...arrayStyle(schema) };
}

/** Describes lists as CSV. */
function arrayStyle(schema: object) {
  return 'items' in schema ? { style: 'form' as const, explode: false } : {};
}

function header(name: string, description: string, example: string, lengths: object): MethodDecorator {
  return swagger().ApiHeader({ name, description, required: false, schema: { type: 'string', ...lengths, example } });
}

/** Returns the declared type, or without one the accepted forms. */
function schemaOf({ type, forms, default: byDefault, enum: words }: Field): SchemaObject {
  return {
    ...(type === undefined ? anyOf(forms) : { type }),
    ...(type === 'number' ? { format: 'double' } : {}),
    ...(type === 'array' ? { items: forms === undefined ? { type: 'integer' } : anyOf(forms) } : {}),
    ...(words === undefined ? {} : { enum: [...words] }),
    // Defaults that depend on the time are added for each request (api-documents.ts).
    ...(byDefault === undefined || typeof byDefault === 'function' ? {} : { default: byDefault }),
  };
}

function anyOf(forms: readonly FieldForm[] | undefined): SchemaObject {
  if (forms === undefined) return {};
  const schemas = forms.map((form) => (typeof form === 'function' ? recordSchema(fieldsOf(form), true) : form));
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
}

/** Returns the schema of a field in a body, where null clears a field that may be empty. */
function bodySchema(field: Field): SchemaObject {
  const { description, type, example, forms = [] } = field;
  const shown = { description, ...(example === undefined ? {} : { example }) };
  const nullable = (field.whenEmpty === 'clear' && field.enum === undefined) || field.default === null;
  if (!nullable) return { ...shown, ...schemaOf(field) };
  if (type !== undefined) return { ...shown, ...schemaOf(field), nullable };
  // OpenAPI 3.0 allows `nullable` only together with `type`.
  const [first, ...others] = forms;
  return { ...shown, ...schemaOf({ ...field, forms: first && [{ ...first, nullable } as FieldForm, ...others] }) };
}

function sparseSchema() {
  return { type: 'array', items: { type: 'string' } };
}
