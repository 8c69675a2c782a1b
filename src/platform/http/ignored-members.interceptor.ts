import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { Answer } from './answer.js';
import { ignoredMembers } from './ignored-members.js';
import { type Operation, operationOf } from './operation.js';
import type { KalendsRequest } from './request.js';

/** Round every write: lets its answer name what it did nothing with (answer-write.ts). */
@Injectable()
export class IgnoredMembersInterceptor implements NestInterceptor<Answer, Answer> {
  intercept(execution: ExecutionContext, next: CallHandler<Answer>): Observable<Answer> {
    const request = execution.switchToHttp().getRequest<KalendsRequest>();
    const operation = operationOf(execution.getHandler()) as Operation;
    const ignored = ignoredMembers(operation, request.bodyValues);
    if (ignored !== undefined) request.context = { ...request.context, ignored };
    return next.handle();
  }
}
