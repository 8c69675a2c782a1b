import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { membersOf } from '../api-decorators.js';
import { fieldsOf } from '../fields/field-metadata.js';
import { type Operation, operationOf } from '../operation.js';
import type { Reply } from '../reply.js';
import type { KalendsRequest } from '../request.js';

const MOST_NAMES = 20;
const MOST_CHARACTERS = 64;
const MOST_BYTES = 1000;
const BETWEEN = ', ';
/** What a header can hold as it is (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * The members of a body that this write has no use for, as the header X-Kalends-Ignored names them (contract 2.1): neither
 * fields, nor read-only members of its answer, nor `context`. Undefined: there are none.
 */
export function ignoredMembers({ accepts, answers }: Operation, body: Record<string, unknown>): string | undefined {
  const fields = accepts === undefined ? [] : fieldsOf(accepts).map(({ name }) => name);
  const known = new Set([...fields, ...(answers === undefined ? [] : membersOf(answers)), 'context']);
  // A name without characters cannot be named.
  const ignored = Object.keys(body).filter((name) => name !== '' && !known.has(name));
  const names: string[] = [];
  let bytes = 0;
  for (const name of ignored.slice(0, MOST_NAMES).map(inHeader)) {
    bytes += name.length + (names.length === 0 ? 0 : BETWEEN.length);
    if (bytes > MOST_BYTES) break;
    names.push(name);
  }
  return names.length === 0 ? undefined : names.join(BETWEEN);
}

function inHeader(name: string): string {
  const shown = Array.from(name.toWellFormed()).slice(0, MOST_CHARACTERS).join('');
  return TOKEN.test(shown) ? shown : encodeURIComponent(shown).replace(/[()]/g, (bracket) => BRACKETS[bracket] ?? '');
}

const BRACKETS: Readonly<Record<string, string>> = { '(': '%28', ')': '%29' };

/** Round every write: lets its answer name what it did nothing with (record-reply.ts). */
@Injectable()
export class IgnoredMembersInterceptor implements NestInterceptor<Reply, Reply> {
  intercept(execution: ExecutionContext, next: CallHandler<Reply>): Observable<Reply> {
    const request = execution.switchToHttp().getRequest<KalendsRequest>();
    const operation = operationOf(execution.getHandler()) as Operation;
    const ignored = ignoredMembers(operation, request.bodyValues);
    if (ignored !== undefined) request.context = { ...request.context, ignored };
    return next.handle();
  }
}
