import { Global, Module } from '@nestjs/common';
import { RateLimiters } from './rate-limiter.js';
import { RedisStore } from './redis-store.js';

@Global()
@Module({ providers: [RedisStore, RateLimiters], exports: [RedisStore, RateLimiters] })
export class LimitsModule {}
