import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { documentedMembers } from '../api-decorators.js';
import { fieldsOf } from '../fields/field-metadata.js';
import { amendedOperation, type Operation } from '../operation.js';
import type { Reply } from '../reply.js';
import type { KalendsRequest } from '../request.js';

const MAX_NAMES = 20;
const MAX_NAME_CHARACTERS = 64;
const MAX_BYTES = 1000;
const SEPARATOR = ', ';
/** A header token (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Returns the value of X-Kalends-Ignored: the members of a body that are neither fields, nor read-only members of the
 * response, nor `context` (contract 2.1). Undefined if there are none.
 */
export function ignoredMembers(
  { accepts, answers, furtherMembers = {} }: Operation,
  body: Record<string, unknown>,
): string | undefined {
  const fields = accepts === undefined ? [] : fieldsOf(accepts).map(({ name }) => name);
  const members = answers === undefined ? [] : documentedMembers(answers);
  const known = new Set([...fields, ...members, ...Object.keys(furtherMembers), 'context']);
  // An empty name cannot stand in a header.
  const ignored = Object.keys(body).filter((name) => name !== '' && !known.has(name));
  const names: string[] = [];
  let bytes = 0;
  for (const name of ignored.slice(0, MAX_NAMES).map(headerName)) {
    bytes += name.length + (names.length === 0 ? 0 : SEPARATOR.length);
    if (bytes > MAX_BYTES) break;
    names.push(name);
  }
  return names.length === 0 ? undefined : names.join(SEPARATOR);
}

function headerName(name: string): string {
  const shortened = Array.from(name.toWellFormed()).slice(0, MAX_NAME_CHARACTERS).join('');
  return TOKEN.test(shortened)
    ? shortened
    : encodeURIComponent(shortened).replace(/[()]/g, (bracket) => BRACKETS[bracket] ?? '');
}

const BRACKETS: Readonly<Record<string, string>> = { '(': '%28', ')': '%29' };

/** Passes the names of ignored members to the reply of a write (record-reply.ts). */
@Injectable()
export class IgnoredMembersInterceptor implements NestInterceptor<Reply, Reply> {
  intercept(execution: ExecutionContext, next: CallHandler<Reply>): Observable<Reply> {
    const request = execution.switchToHttp().getRequest<KalendsRequest>();
    const operation = amendedOperation(execution.getHandler(), request.matched);
    const ignored = ignoredMembers(operation, request.bodyValues);
    if (ignored !== undefined) request.context = { ...request.context, ignored };
    return next.handle();
  }
}
