import { Global, Module } from '@nestjs/common';
import { Limits } from './rate-limiter.js';
import { SharedStore } from './redis-store.js';

@Global()
@Module({ providers: [SharedStore, Limits], exports: [SharedStore, Limits] })
export class LimitsModule {}
