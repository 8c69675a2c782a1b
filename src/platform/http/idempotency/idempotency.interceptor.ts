import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable, of } from 'rxjs';
import type { Reply } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import { type Claim, IdempotencyKeys } from './idempotency-keys.js';
import { readKeyedRequest } from './keyed-request.js';

/** Carries out a write with an Idempotency-Key once, however often it is sent (contract 5.5). */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor<Reply, Reply> {
  constructor(private readonly keys: IdempotencyKeys) {}

  async intercept(execution: ExecutionContext, next: CallHandler<Reply>): Promise<Observable<Reply>> {
    const request = execution.switchToHttp().getRequest<KalendsRequest>();
    const keyed = readKeyedRequest(request);
    if (keyed === undefined) return next.handle();
    const stored = await this.keys.findReply(keyed);
    if (stored !== undefined) return of(markAsReplay(stored));
    const claim = await this.keys.claim(keyed);
    return from(this.carryOut(claim, request, () => lastValueFrom(next.handle())));
  }

  private async carryOut(claim: Claim, request: KalendsRequest, handle: () => Promise<Reply>): Promise<Reply> {
    let isStored = false;
    request.context = {
      ...request.context,
      storeReply: async (tx, reply) => {
        await this.keys.storeReply(tx, claim, reply);
        isStored = true;
      },
    };
    let reply: Reply;
    try {
      reply = await handle();
    } catch (error) {
      // Before the error is sent, because the client may repeat immediately.
      await this.keys.release(claim, error);
      throw error;
    }
    // The types of the route decorators demand `writeReply`, so only a cast or plain JavaScript can omit it.
    if (!isStored) await this.keys.storeLater(claim, reply);
    return reply;
  }
}

function markAsReplay(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } };
}
