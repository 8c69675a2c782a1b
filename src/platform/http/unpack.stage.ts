import { Injectable } from '@nestjs/common';
import { isAnonymous } from '../../kernel/caller.js';
import { Environment } from '../config/environment.js';
import { unpack } from './packed-body.js';
import type { KalendsRequest } from './request.js';
import type { Stage } from './stage.js';

/** What strangers may have unpacked, in bytes. */
const MOST_OF_STRANGERS = 64 * 1024;

/** Unpacks compressed bodies when it is known who sent them: a thousandth of them is all that strangers need send (ERR-03). */
@Injectable()
export class UnpackStage implements Stage {
  private readonly mostBytes: number;

  constructor({ MAX_BODY_BYTES }: Environment) {
    this.mostBytes = MAX_BODY_BYTES;
  }

  handle(request: KalendsRequest): boolean {
    const { packedBody: packed, context } = request;
    if (packed === undefined) return false;
    const most = isAnonymous(context.caller) ? Math.min(MOST_OF_STRANGERS, this.mostBytes) : this.mostBytes;
    const bytes = unpack(packed, most);
    request.body = bytes;
    request.bodyValues = packed.read(bytes);
    return false;
  }
}
