import { type HttpException, HttpStatus } from '@nestjs/common';
import { getMetadataStorage } from './class-validator.js';
import { ApiError, apiError, AUTHENTICATE, type ErrorExtras, unavailable } from './api-error.js';
import type { ErrorCode } from './error-catalogue.js';

/** Members of Nest's own error bodies, which the shape of our errors replaces. */
const REPLACED = ['statusCode', 'error', 'code', 'message', 'data'];
/** Server errors that the catalogue has. */
const SERVER_ERRORS: Readonly<Record<number, ApiError>> = {
  500: apiError('internal_server_error'),
  503: unavailable(),
};
/** The first word of a sentence of class-validator, such as `capacity` or `seats.0.row`. */
const SUBJECT = /^(?:property )?([^\s.]+)(\.\S+)? /;

/**
 * Returns an exception of Nest in the shape of our errors (contract section 6). Status and text stay; `code` is that of
 * the exception's body, else `rest_` and the name of the status, such as `rest_conflict`. Sentences of a validation stand
 * in `data.params` by property, others in `data.reasons`. Texts of 5xx are not sent, because they may tell secrets.
 */
export function errorOfException(exception: HttpException): ApiError {
  if (exception instanceof ApiError) return exception;
  const status = exception.getStatus();
  if (!(Number.isInteger(status) && status >= 400 && status <= 599)) return apiError('internal_server_error');
  const name = HttpStatus[status] ?? 'error';
  const ownCode = `rest_${name.toLowerCase()}`;
  const headers: Record<string, string> = status === 401 ? AUTHENTICATE : {};
  if (status >= 500) return SERVER_ERRORS[status] ?? moduleError(ownCode, { status, message: phrase(name) });
  const sent = exception.getResponse();
  const body = typeof sent === 'object' ? (sent as Record<string, unknown>) : {};
  const sentences = Array.isArray(body.message) ? body.message.map(String) : undefined;
  const further = Object.fromEntries(Object.entries(body).filter(([member]) => !REPLACED.includes(member)));
  return moduleError(typeof body.code === 'string' ? body.code : ownCode, {
    status,
    headers,
    message: sentences === undefined ? exception.message : phrase(name),
    data: { ...further, ...dataOf(body), ...(sentences === undefined ? {} : reasonsOf(sentences)) },
  });
}

/** Codes of modules are not in the catalogue. */
function moduleError(code: string, extras: ErrorExtras): ApiError {
  return new ApiError(code as ErrorCode, extras);
}

function dataOf({ data }: Record<string, unknown>): object {
  const { status: _, ...rest } = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  return rest;
}

/** `BAD_REQUEST` becomes `Bad request`. */
function phrase(name: string): string {
  const text = name.toLowerCase().replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function reasonsOf(sentences: readonly string[]): { params?: Record<string, string>; reasons?: string[] } {
  const properties = validatedProperties();
  const params: Record<string, string> = {};
  const reasons: string[] = [];
  for (const sentence of sentences) {
    const [, property = '', nested = ''] = SUBJECT.exec(sentence) ?? [];
    const isParam = properties.has(property) || sentence.startsWith(`property ${property}`);
    if (property !== '' && isParam) params[property + nested] ??= sentence;
    else reasons.push(sentence);
  }
  return { ...(Object.keys(params).length > 0 ? { params } : {}), ...(reasons.length > 0 ? { reasons } : {}) };
}

/** Returns the names of all properties with decorators of class-validator, which has no public list of them. */
function validatedProperties(): ReadonlySet<string> {
  const { validationMetadatas } = getMetadataStorage() as unknown as {
    validationMetadatas: ReadonlyMap<unknown, readonly { readonly propertyName: string }[]>;
  };
  return new Set([...validationMetadatas.values()].flatMap((rules) => rules.map(({ propertyName }) => propertyName)));
}
