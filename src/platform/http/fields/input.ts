import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { validateSync, type ValidationError } from '../../../errors/class-validator.js';
import { MAX_DEPTH, MAX_ELEMENTS } from '../../../kernel/text/html.js';
import type { DetailCode } from '../../../errors/error-catalogue.js';
import { Problems } from '../../../errors/problems.js';
import { type Field, fieldsOf } from './field-metadata.js';
import { amendedOperation, type Operation } from '../operation.js';
import { NOT_UTF8, Repeated } from '../query-string.js';
import type { KalendsRequest } from '../request.js';

/** The coerced parameters of a request and their problems, which the service throws together with its own. */
export interface Input<Dto> {
  readonly dto: Dto;
  readonly problems: Problems;
}

export type InputMode = 'create' | 'update' | 'filter';

/** Injects the parameters that the operation accepts, from query and body. The body has priority. */
export const Input = createParamDecorator((_: unknown, context: ExecutionContext): Input<object> => {
  const request = context.switchToHttp().getRequest<KalendsRequest>();
  const operation = amendedOperation(context.getHandler(), request.matched);
  const values = { ...request.queryValues, ...request.bodyValues };
  const mayWrite = request.context.caller.capabilities.size > 0;
  return readInput(operation.accepts ?? NoParams, modeOf(operation), values, mayWrite);
});

/**
 * Coerces and checks the values of a record or of filters. Returns problems instead of throwing. `mayWrite`: whether
 * the caller may write anything. Texts are cleaned only if the request can succeed, because cleaning is slow.
 */
export function readInput<Dto extends object>(
  type: new () => Dto,
  mode: InputMode,
  values: Record<string, unknown>,
  mayWrite = true,
): Input<Dto> {
  const fields = fieldsOf(type);
  const problems = new Problems(fields.map(({ name }) => name));
  const dto = new type();
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? valueOf(field, values[field.name]) : undefined;
    readField(field, mode, value, dto as Record<string, unknown>, problems);
  }
  // Saves time: most reads have no parameters.
  const isBlank = Object.values(dto).every((value) => value === undefined || value === null);
  for (const error of isBlank ? [] : validateSync(dto, VALIDATION)) {
    addError(error, problems);
    // Later rules must not see a rejected value.
    delete (dto as Record<string, unknown>)[error.property];
  }
  if (mayWrite && problems.isEmpty) clean(fields, dto as Record<string, unknown>, problems);
  return { dto, problems };
}

function clean(fields: readonly Field[], dto: Record<string, unknown>, problems: Problems): void {
  for (const { name, clean: cleanText } of fields) {
    const value = dto[name];
    if (cleanText === undefined || typeof value !== 'string') continue;
    dto[name] = cleanText(value);
    if (dto[name] === undefined) {
      problems.add(
        name,
        'rest_too_long',
        `must not have more than ${MAX_ELEMENTS} elements, or nest them deeper than ${MAX_DEPTH}.`,
      );
    }
  }
}

class NoParams {}

const VALIDATION = { skipMissingProperties: true, stopAtFirstError: true, forbidUnknownValues: false };

function modeOf(operation: Operation): InputMode {
  if (operation.kind === 'act') return 'create';
  return operation.kind === 'create' || operation.kind === 'update' ? operation.kind : 'filter';
}

/** Returns all values of a list, and the last one of a repeated single value. */
function valueOf(field: Field, value: unknown): unknown {
  if (!(value instanceof Repeated)) return value;
  return field.isList ? value.values : value.values.at(-1);
}

/** Handles absent, null and empty values (contract 2.2, "Null and empty on write"). */
function readField(
  field: Field,
  mode: InputMode,
  value: unknown,
  dto: Record<string, unknown>,
  problems: Problems,
): void {
  const { name } = field;
  const absent = value === undefined || (value === null && mode === 'create');
  if (absent) {
    if (mode === 'create' && field.required) problems.addMissing(name);
  } else if (value === NOT_UTF8) {
    problems.add(name, 'rest_invalid_type', 'must be valid UTF-8 text.');
  } else if (!isEmpty(value)) {
    readFilled(field, mode, value, dto, problems);
  } else if (mode === 'filter' || field.whenEmpty === 'refuse') {
    problems.add(name, 'rest_empty', 'must not be empty.');
  } else if (mode === 'update') {
    dto[name] = null;
  }
}

/** A list with only empty items counts as empty, and an empty filter is rejected (contract 2.2). */
function readFilled(
  field: Field,
  mode: InputMode,
  value: unknown,
  dto: Record<string, unknown>,
  problems: Problems,
): void {
  const coerced = field.coerce(value);
  if (mode === 'filter' && isEmpty(coerced)) problems.add(field.name, 'rest_empty', 'must not be empty.');
  else dto[field.name] = coerced;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function addError(error: ValidationError, problems: Problems): void {
  const [code, text] = Object.entries(error.constraints ?? {})[0] ?? [];
  if (code !== undefined && text !== undefined)
    problems.add(error.property, code as DetailCode, text.slice(error.property.length + 1));
}
