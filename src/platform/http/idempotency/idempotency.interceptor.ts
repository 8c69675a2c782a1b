import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable, of } from 'rxjs';
import type { Reply } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import { type Claim, IdempotencyKeys } from './idempotency-keys.js';
import { readKeyedRequest } from './idempotency-keys.js';

/** Round every write: one with an Idempotency-Key is carried out once, however often it is sent (contract 5.5). */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor<Reply, Reply> {
  constructor(private readonly keys: IdempotencyKeys) {}

  async intercept(execution: ExecutionContext, next: CallHandler<Reply>): Promise<Observable<Reply>> {
    const request = execution.switchToHttp().getRequest<KalendsRequest>();
    const keyed = readKeyedRequest(request);
    if (keyed === undefined) return next.handle();
    const kept = await this.keys.findAnswer(keyed);
    if (kept !== undefined) return of(replayed(kept));
    return from(this.carryOut(await this.keys.claim(keyed), request, next));
  }

  private async carryOut(claim: Claim, request: KalendsRequest, next: CallHandler<Reply>): Promise<Reply> {
    let isKept = false;
    request.context = {
      ...request.context,
      keepAnswer: async (tx, answer) => {
        await this.keys.keep(tx, claim, answer);
        isKept = true;
      },
    };
    try {
      const answer = await lastValueFrom(next.handle());
      // For whoever adds a write: without writeReply a repetition would write again.
      if (!isKept) throw new Error('A write did not answer by writeReply.');
      return answer;
    } catch (error) {
      // Before the refusal is sent: the next request may follow at once.
      await this.keys.release(claim, error);
      throw error;
    }
  }
}

function replayed(answer: Reply): Reply {
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
}
