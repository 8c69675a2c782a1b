import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { MAX_DEPTH, MAX_ELEMENTS } from '../../../kernel/text/html.js';
import type { DetailCode } from '../../../errors/error-catalogue.js';
import { Problems } from '../../../errors/problems.js';
import { type Field, fieldsOf } from './field-metadata.js';
import { type Operation, operationOf } from '../operation.js';
import { NOT_UTF8, Repeated } from '../query-string.js';
import type { KalendsRequest } from '../request.js';

/** The parameters of a request, coerced and checked, with what is wrong with them: the service throws it, once. */
export interface Input<Dto> {
  readonly dto: Dto;
  readonly problems: Problems;
}

export type InputMode = 'create' | 'update' | 'filter';

/** Hands a handler the parameters that its operation accepts: query and body, of which the body wins. */
export const Input = createParamDecorator((_: unknown, context: ExecutionContext): Input<object> => {
  const operation = operationOf(context.getHandler()) as Operation;
  const request = context.switchToHttp().getRequest<KalendsRequest>();
  const values = { ...request.queryValues, ...request.bodyValues };
  const mayWrite = request.context.caller.capabilities.size > 0;
  return readInput(operation.accepts ?? NoParams, modeOf(operation), values, mayWrite);
});

/**
 * Coerces and checks the values of one record or one list of filters; throws nothing. `mayWrite`: whether the caller
 * could write anything; what is refused for want of that right, or for a problem, is not worth cleaning.
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
    const value = Object.hasOwn(values, field.name) ? single(field, values[field.name]) : undefined;
    readField(field, mode, value, dto as Record<string, unknown>, problems);
  }
  // Absent values are not checked, and most reads come without any.
  const isBlank = Object.values(dto).every((value) => value === undefined || value === null);
  for (const error of isBlank ? [] : validateSync(dto, VALIDATION)) {
    addError(error, problems);
    // What is refused already must not be looked at by further rules.
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
  return operation.kind === 'create' || operation.kind === 'update' ? operation.kind : 'filter';
}

/** Of a repeated single value the last counts. */
function single(field: Field, value: unknown): unknown {
  if (!(value instanceof Repeated)) return value;
  return field.isList ? value.values : value.values.at(-1);
}

/** What absent, null and empty values mean: contract 2.2, "Null and empty on write". */
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

/** A list of which only empty items were sent is an empty one, and no filter (contract 2.2). */
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
  if (code !== undefined && text !== undefined) problems.add(error.property, code as DetailCode, text);
}
