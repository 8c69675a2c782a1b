import { Injectable } from '@nestjs/common';
import { Authenticator } from '../../auth/authenticator.js';
import type { KalendsRequest } from '../request.js';
import type { Stage } from './stage.js';

/** Authenticates the caller. Rejects wrong credentials on every route, even for public reads (contract section 6). */
@Injectable()
export class AuthenticationStage implements Stage {
  constructor(private readonly authenticator: Authenticator) {}

  async handle(request: KalendsRequest): Promise<boolean> {
    // Pages are anonymous: a gateway may have a login of its own (pages P2).
    if (request.page !== undefined) return false;
    const { context, clientAddress } = request;
    const caller = await this.authenticator.callerOf(request.headers.authorization, clientAddress, context.nowUtc);
    request.context = { ...context, caller };
    return false;
  }
}
